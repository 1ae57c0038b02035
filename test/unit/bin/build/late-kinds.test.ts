/** What stands in for the functions of kinds in a build does what they do, and reads them when it is asked to. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { SchemaFunctions } from '../../../../runtime/contract/index.js';

type Stands = typeof import('../../../../bin/build/late-kinds.js');

/** Functions that tell what they were called with. */
function functionsOf(kind: string, told: unknown[]): Required<SchemaFunctions> {
  const telling =
    (name: string) =>
    (...given: readonly unknown[]): void => {
      told.push([kind, name, ...given]);
    };
  return {
    normalize: (object) => {
      telling('normalize')(object);
      return { field: 'data', found: 'string', wanted: 'int32', message: kind };
    },
    prune: telling('prune'),
    applyDefaults: telling('applyDefaults'),
    dropDisabled: telling('dropDisabled'),
    validate: telling('validate'),
    validateUpdate: telling('validateUpdate'),
  };
}

const all = ['normalize', 'prune', 'applyDefaults', 'dropDisabled', 'validate', 'validateUpdate'];

describe('functions of late kinds', () => {
  let lateFunctions: Stands['lateFunctions'];
  beforeEach(async () => {
    vi.resetModules();
    ({ lateFunctions } = await import('../../../../bin/build/late-kinds.js'));
  });

  function setUp() {
    const told: unknown[] = [];
    let files = 0;
    const load = () => {
      files++;
      return { 'g/v1/ones': functionsOf('One', told), 'g/v1/others': functionsOf('Other', told) };
    };
    return { told, load, read: () => files };
  }

  it('are called with what they are given, and their answers are returned', () => {
    const { told, load } = setUp();
    const one = lateFunctions('g/v1/ones', all, load);
    const [object, old, report, enabled, errors] = [{ a: 1 }, { b: 2 }, () => {}, () => true, []];
    expect(one.normalize?.(object)).toMatchObject({ message: 'One' });
    one.prune(object, report);
    one.applyDefaults(object);
    one.dropDisabled?.(object, old, enabled);
    one.validate(object, errors);
    one.validateUpdate?.(object, old, errors);
    expect(told).toEqual([
      ['One', 'normalize', object],
      ['One', 'prune', object, report],
      ['One', 'applyDefaults', object],
      ['One', 'dropDisabled', object, old, enabled],
      ['One', 'validate', object, errors],
      ['One', 'validateUpdate', object, old, errors],
    ]);
  });

  it('are read once for all kinds, when one is called', () => {
    const { told, load, read } = setUp();
    const kinds = ['g/v1/ones', 'g/v1/others'].map((kind) => lateFunctions(kind, all, load));
    expect(read()).toBe(0);
    for (const { applyDefaults } of kinds) applyDefaults({});
    for (const { applyDefaults } of kinds) applyDefaults({});
    expect(told).toEqual(['One', 'Other', 'One', 'Other'].map((kind) => [kind, 'applyDefaults', {}]));
    expect(read()).toBe(1);
  });

  it('are those that the kind has', () => {
    const { load } = setUp();
    const { prune, applyDefaults, validate, ...others } = lateFunctions('g/v1/ones', ['prune', 'validateUpdate'], load);
    expect([prune, applyDefaults, validate].map((one) => typeof one)).toEqual(['function', 'function', 'function']);
    expect(Object.keys(others)).toEqual(['validateUpdate']);
  });

  it('say that the build is damaged where it has nothing of a kind', () => {
    const { load } = setUp();
    const missing = lateFunctions('g/v1/missing', all, load);
    expect(() => missing.applyDefaults({})).toThrow('the build is damaged: there is nothing of g/v1/missing');
  });
});
