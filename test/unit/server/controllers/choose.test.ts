import { expect, it } from 'vitest';
import { namingOf } from '../../../../runtime/objects/names/naming.js';
import { checkControllers, chooseControllers, controllerTable } from '../../../../server/controllers/choose.js';

const own = { signers: new Map(), issueSecretToken: async () => '', trusted: () => '' };
const served = { serves: () => true, naming: namingOf('platform') ?? never(), own };
function never(): never {
  throw new Error('no such naming');
}
const namesOf = (...wanted: string[]): string[] => chooseControllers(wanted, served).map(({ name }) => name);

it('lists names in alphabetical order, each once', () => {
  const names = controllerTable.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)].sort());
});

it('accepts * for the ones that are on by default, names, and -name to remove one', () => {
  const all = controllerTable.filter(({ byDefault }) => byDefault).map(({ name }) => name);
  expect(namesOf('*')).toEqual(all);
  expect(namesOf('*', '-namespace')).toEqual(all.filter((name) => name !== 'namespace'));
  expect(namesOf('-namespace', '*')).toEqual(all.filter((name) => name !== 'namespace'));
  expect(namesOf('namespace')).toEqual(['namespace']);
  expect(namesOf()).toEqual([]);
  expect(namesOf('-namespace')).toEqual([]);
});

it('counts the first mention of a controller', () => {
  expect(namesOf('namespace', '-namespace')).toEqual(['namespace']);
  expect(namesOf('-namespace', 'namespace')).toEqual([]);
});

it('leaves out the ones with kinds that are not served', () => {
  const names = chooseControllers(['*'], { ...served, serves: () => false }).map(({ name }) => name);
  expect(names).toEqual(['garbagecollector']);
});

it('refuses an unknown name and suggests a similar one', () => {
  expect(() => checkControllers(['*', 'namespaces'])).toThrow(
    'controllers: namespaces is unknown; did you mean namespace?',
  );
  expect(() => checkControllers(['-namespce'])).toThrow('-namespce is unknown; did you mean -namespace?');
  expect(() => checkControllers(['whatever'])).toThrow('whatever is unknown; use *, none, or names of: ');
  expect(() => checkControllers(['*', '-namespace', 'serviceaccount'])).not.toThrow();
});

it("leaves out controllers that need parts of the server's process", () => {
  const elsewhere = { serves: () => true, naming: served.naming };
  const names = chooseControllers(['*'], elsewhere).map(({ name }) => name);
  expect(names).toContain('csrapproving');
  expect(names).not.toContain('csrsigning');
});
