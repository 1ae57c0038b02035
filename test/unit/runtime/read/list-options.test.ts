/** Options of lists and watches, and the combinations that are refused. */
import { describe, expect, it } from 'vitest';
import type { ResourceModule } from '../../../../runtime/contract/index.js';
import { emulate, type Release } from '../../../../runtime/objects/release.js';
import { readListOptions } from '../../../../runtime/read/list-options.js';
import { verbRequest } from '../../../support/verb-requests.js';
import { widgets } from '../../../support/widgets.js';

interface Asked {
  readonly gates?: readonly string[];
  readonly module?: ResourceModule;
  readonly release?: Release;
}

const read = (search: string, { gates = ['APIListChunking'], module = widgets, release = emulate() }: Asked = {}) =>
  readListOptions(
    verbRequest({ search, module, services: { featureEnabled: (gate) => gates.includes(gate), release } }),
  );

function optionsOf(search: string, asked?: Asked) {
  const options = read(search, asked);
  if (!options.ok) throw new Error(options.failure.message);
  return options.value;
}

const refusal = (search: string, asked?: Asked): string => {
  const options = read(search, asked);
  return options.ok ? '' : `${options.failure.reason}: ${options.failure.message}`;
};

const watchList: Asked = { gates: ['WatchList'] };

describe('list options', () => {
  it('refuse any revision of a continued list, also an unreadable one, in later releases', () => {
    const search = 'continue=x&resourceVersion=abc';
    expect(refusal(search, { release: emulate('latest') })).toContain('not allowed when using continue');
    expect(refusal(search)).toContain('invalid resource version');
  });

  it('have defaults', () => {
    expect(optionsOf('')).toMatchObject({
      revision: undefined,
      match: undefined,
      limit: 0,
      continueToken: '',
      selection: { everything: true },
      watch: false,
      allowWatchBookmarks: false,
      sendInitialEvents: undefined,
      timeoutSeconds: undefined,
    });
  });

  it.each([
    ['limit=5', { limit: 5 }],
    ['limit=-5', { limit: 0 }],
    ['resourceVersion=7', { revision: 7 }],
    ['resourceVersion=0', { revision: 0 }],
    ['resourceVersion=7&resourceVersionMatch=Exact', { match: 'Exact' }],
    ['resourceVersion=0&resourceVersionMatch=NotOlderThan', { match: 'NotOlderThan' }],
    ['continue=abc', { continueToken: 'abc' }],
    [
      'watch=1&timeoutSeconds=9&allowWatchBookmarks=true',
      { watch: true, timeoutSeconds: 9, allowWatchBookmarks: true },
    ],
    ['watch=true&timeoutSeconds=0', { timeoutSeconds: undefined }],
    ['watch=false', { watch: false }],
    ['labelSelector=a%3Db', { selection: { everything: false } }],
    ['fieldSelector=metadata.name%3Da', { selection: { name: 'a' } }],
    ['fieldSelector=spec.color%3Dred', { selection: { everything: false } }],
  ])('%s', (search, expected) => {
    expect(optionsOf(search)).toMatchObject(expected);
  });

  it('ignore chunks without their gate, but still report mistakes in them', () => {
    expect(optionsOf('limit=5&continue=abc', { gates: [] })).toMatchObject({ limit: 0, continueToken: '' });
    expect(refusal('limit=x', { gates: [] })).toMatch(/^BadRequest: /);
    expect(refusal('resourceVersion=1&resourceVersionMatch=Exact&continue=a', { gates: [] })).toMatch(/^Invalid: /);
  });

  it.each([
    ['limit=x', /^BadRequest: /],
    ['timeoutSeconds=x', /^BadRequest: /],
    ['labelSelector=%3D%3D', /^BadRequest: /],
    ['fieldSelector=a', /^BadRequest: /],
    ['fieldSelector=spec.size%3D1', /^BadRequest: /],
    ['resourceVersionMatch=Exact', /^Invalid: .*forbidden unless resourceVersion is provided/],
    ['resourceVersion=1&resourceVersionMatch=x', /^Invalid: .*Unsupported value: "x"/],
    ['resourceVersion=0&resourceVersionMatch=Exact', /^Invalid: .*"exact" is forbidden for resourceVersion "0"/],
    ['resourceVersion=1&resourceVersionMatch=Exact&continue=a', /^Invalid: .*forbidden when continue is provided/],
    ['sendInitialEvents=true', /^Invalid: .*sendInitialEvents is forbidden for list/],
  ])('refuse %s', (search, message) => {
    expect(refusal(search)).toMatch(message);
  });

  it('select fields that the resource has, in the words of its kind', () => {
    const plain: Asked = { module: { ...widgets, selectableFields: [] } };
    expect(refusal('fieldSelector=spec.color%3Dred', plain)).toMatch(/^BadRequest: .*spec\.color/);
    const cluster: Asked = { module: { ...widgets, scope: 'Cluster' } };
    expect(refusal('fieldSelector=metadata.namespace%3Da', cluster)).toMatch(/^BadRequest: .*metadata\.namespace/);
  });
});

describe('watch options', () => {
  it('may come from the path', () => {
    expect(readListOptions(verbRequest(), 'watch')).toMatchObject({ value: { watch: true } });
  });

  it.each<[string, Asked | undefined, RegExp]>([
    ['resourceVersionMatch=Exact', undefined, /forbidden for watch unless sendInitialEvents is provided/],
    ['sendInitialEvents=true', undefined, /unless the WatchList feature gate is enabled/],
    [
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan',
      undefined,
      /unless the WatchList feature gate is enabled/,
    ],
    ['sendInitialEvents=true', watchList, /requires setting resourceVersionMatch to NotOlderThan/],
    ['sendInitialEvents=false', watchList, /requires setting resourceVersionMatch to NotOlderThan/],
    ['sendInitialEvents=true&resourceVersionMatch=Exact', watchList, /Unsupported value: "Exact"/],
    [
      'sendInitialEvents=true&resourceVersionMatch=NotOlderThan&continue=a',
      watchList,
      /forbidden when continue is provided/,
    ],
  ])('refuse %s', (search, asked, message) => {
    expect(refusal(`watch=true&${search}`, asked)).toMatch(/^Invalid: /);
    expect(refusal(`watch=true&${search}`, asked)).toMatch(message);
  });

  it('may ask for the state first if that is enabled', () => {
    const search = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    expect(optionsOf(search, watchList)).toMatchObject({ sendInitialEvents: true, match: 'NotOlderThan' });
  });
});

describe('revisions', () => {
  const invalidNumber = 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax';

  it.each([
    ['resourceVersion=x', invalidNumber],
    ['resourceVersion=x&resourceVersionMatch=NotOlderThan', invalidNumber],
    ['watch=true&resourceVersion=x&limit=1', invalidNumber],
    ['resourceVersion=x&limit=1', `invalid resource version: ${invalidNumber}`],
    ['resourceVersion=x&continue=a', `invalid resource version: ${invalidNumber}`],
    ['resourceVersion=x&resourceVersionMatch=Exact', `invalid resource version: ${invalidNumber}`],
  ])('are reported as in the reference: %s', (search, message) => {
    expect(refusal(search)).toBe(`BadRequest: ${message}`);
  });
});

describe('options that have been read', () => {
  it('are kept with the query and the resource', () => {
    const search = 'labelSelector=a%3Db&fieldSelector=spec.color%3Dred';
    const verb = verbRequest({ search, module: widgets, services: { featureEnabled: () => true } });
    const selectionOf = (asked: typeof verb, path?: 'watch') => {
      const options = readListOptions(asked, path);
      if (!options.ok) throw new Error(options.failure.message);
      return options.value;
    };
    expect(selectionOf(verb)).toBe(selectionOf({ ...verb }));
    expect(selectionOf(verb).selection).toBe(selectionOf(verb, 'watch').selection);
    expect([selectionOf(verb).watch, selectionOf(verb, 'watch').watch]).toEqual([false, true]);
    const other = verbRequest({ search, module: { ...widgets, selectableFields: [] } });
    expect(readListOptions({ ...other, query: verb.query })).toMatchObject({ ok: false });
    expect(readListOptions(verb)).toMatchObject({ ok: true });
  });

  it('differ even if their joined texts are the same', () => {
    const one = optionsOf('labelSelector=spec.color%3Dred').selection;
    const other = optionsOf('fieldSelector=spec.color%3Dred').selection;
    expect([one, other].map(({ conditions }) => conditions[0]?.of)).toEqual(['labels', 'fields']);
  });

  it('are refused each time with the same words', () => {
    expect(refusal('fieldSelector=spec.size%3D1')).toBe(refusal('fieldSelector=spec.size%3D1'));
  });
});
