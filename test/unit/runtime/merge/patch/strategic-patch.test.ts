/** Strategic merge patches: the public tables, directives, refusals. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, Schema } from '../../../../../runtime/contract/index.js';
import { strategicSchema } from '../../../../../runtime/merge/patch/patch-schema.js';
import { applyStrategicPatch, decodeStrategicPatch } from '../../../../../runtime/merge/patch/strategic-patch.js';
import { isObject } from '../../../../../runtime/objects/guards.js';
import { tableRows } from '../../../../support/shared.js';
import { readYaml } from '../../../../support/yaml.js';

const scalar: Schema = {};
const merge = { 'x-kubernetes-patch-strategy': 'merge' } as const;
const byName = { 'x-kubernetes-patch-merge-key': 'name' } as const;
const ints: Schema = { type: 'array', items: { type: 'integer' } };

/** Returns the kind of the tables. An item is a schema like the whole, two levels down. */
function mergeItem(depth: number): Schema {
  const item: Schema = depth === 0 ? { type: 'object' } : mergeItem(depth - 1);
  const items: Schema = { type: 'array', items: item };
  return {
    type: 'object',
    properties: {
      name: scalar,
      value: scalar,
      other: scalar,
      mergingList: { ...items, ...merge, ...byName },
      nonMergingList: items,
      mergingIntList: { ...ints, ...merge },
      nonMergingIntList: ints,
      // Its cases have lists there.
      mergeItemPtr: { ...items, ...merge, ...byName },
      simpleMap: { type: 'object', additionalProperties: scalar },
      replacingItem: { type: 'object', 'x-kubernetes-patch-strategy': 'replace' },
      retainKeysMap: { ...item, 'x-kubernetes-patch-strategy': 'retainKeys' },
      retainKeysMergingList: { ...items, ...byName, 'x-kubernetes-patch-strategy': 'merge,retainKeys' },
    },
  };
}

const schema = mergeItem(5);

const apply = (object: JsonObject, patch: JsonObject): JsonValue => {
  const before = structuredClone([object, patch]);
  const result = applyStrategicPatch(object, patch, schema);
  expect([object, patch]).toEqual(before);
  return result.ok ? result.value : result.failure.message;
};

type Document = JsonValue | { readonly $bytes: string };

/** Reads a document of the tables: YAML text, or JSON with floats spelled out. */
function read(document: Document | undefined): JsonObject | undefined {
  const raw: JsonValue =
    isObject(document) && typeof document.$bytes === 'string' ? readYaml(document.$bytes) : (document ?? null);
  const value = plain(raw);
  return isObject(value) ? value : undefined;
}

function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  if (typeof value.$float === 'string') return Number(value.$float);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner ?? null)]));
}

/** Sorts lists, because tables that are not raw ignore the order of items. */
function sorted(value: JsonValue): JsonValue {
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sorted(inner ?? null)]));
  if (!Array.isArray(value)) return value;
  return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

interface Case {
  readonly Description?: string;
  readonly StrategicMergePatchTestCaseData?: Record<string, Document>;
  readonly StrategicMergePatchRawTestCaseData?: Record<string, Document>;
}

const rows = tableRows<Case>('apimachinery_pkg_util_strategicpatch');

describe.skipIf(rows.length === 0)('the public tables (skipped without ../shared)', () => {
  for (const [index, { test, case: row }] of rows.entries()) {
    const raw = row.StrategicMergePatchRawTestCaseData;
    const data = raw ?? row.StrategicMergePatchTestCaseData;
    // The other rows test how patches are made, or how tests compare, or name internals.
    if (data === undefined || !/StrategicMergePatch|RawExtension/.test(test)) continue;
    const order = raw === undefined ? sorted : (value: JsonValue): JsonValue => value;
    const [twoWay, threeWay] = [read(data.TwoWay), read(data.ThreeWay)];
    const modified = read(data.TwoWayResult) ?? read(data.Modified);
    const [current, result] = [read(data.Current), read(data.Result)];
    if (twoWay && modified) {
      it(`${index} ${row.Description}: two ways`, () => {
        expect(order(apply(read(data.Original) ?? {}, twoWay))).toEqual(order(modified));
      });
    }
    if (current && threeWay && result) {
      it(`${index} ${row.Description}: three ways`, () => {
        expect(order(apply(current, threeWay))).toEqual(order(result));
      });
    }
  }
});

describe('lists that merge', () => {
  const live = {
    mergingList: [
      { name: 'a', value: 1 },
      { name: 'b', value: 1 },
    ],
  };

  it('put new items first, and leave the others in place', () => {
    const patch = { mergingList: [{ name: 'c' }] };
    expect(apply(live, patch)).toEqual({ mergingList: [{ name: 'c' }, ...live.mergingList] });
    expect(apply(live, { mergingList: [{ name: 'b', value: 2 }] })).toEqual({
      mergingList: [
        { name: 'a', value: 1 },
        { name: 'b', value: 2 },
      ],
    });
  });

  it('of scalars have each value once', () => {
    expect(apply({ mergingIntList: [1, 2] }, { mergingIntList: [3, 1] })).toEqual({ mergingIntList: [3, 1, 2] });
    expect(apply({ mergingIntList: [1, 2, 1] }, { '$deleteFromPrimitiveList/mergingIntList': [1, 9] })).toEqual({
      mergingIntList: [2],
    });
  });

  it('follow the given order', () => {
    const order = [{ name: 'b' }, { name: 'a' }];
    expect(apply(live, { '$setElementOrder/mergingList': order })).toEqual({
      mergingList: [...live.mergingList].reverse(),
    });
  });

  it('lose deleted items, by key', () => {
    expect(apply(live, { mergingList: [{ name: 'a', $patch: 'delete' }] })).toEqual({
      mergingList: [{ name: 'b', value: 1 }],
    });
    expect(apply(live, { mergingList: [{ $patch: 'replace' }, { name: 'c' }] })).toEqual({
      mergingList: [{ name: 'c' }],
    });
  });

  it('may be long', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ name: `n${index}` }));
    const merged = apply({ mergingList: many }, { mergingList: [...many].reverse() });
    expect(isObject(merged) && Array.isArray(merged.mergingList) && merged.mergingList.length).toBe(20_000);
  });
});

describe('directives of objects', () => {
  it('replace, empty and retain', () => {
    expect(apply({ simpleMap: { a: 1 } }, { simpleMap: { $patch: 'replace', b: 2 } })).toEqual({ simpleMap: { b: 2 } });
    expect(apply({ simpleMap: { a: 1 } }, { simpleMap: { $patch: 'delete' } })).toEqual({ simpleMap: {} });
    expect(apply({ retainKeysMap: { name: 1, value: 2 } }, { retainKeysMap: { $retainKeys: ['name'] } })).toEqual({
      retainKeysMap: { name: 1 },
    });
  });
});

describe('metadata', () => {
  it('merges finalizers, and owner references by uid', () => {
    const live = { metadata: { finalizers: ['a'], ownerReferences: [{ uid: 'u', name: 'x' }] } };
    const patch = { metadata: { finalizers: ['b'], ownerReferences: [{ uid: 'u', name: 'y' }, { uid: 'v' }] } };
    const result = applyStrategicPatch(live, patch, strategicSchema({ type: 'object' }));
    expect(result.ok && result.value).toEqual({
      metadata: { finalizers: ['b', 'a'], ownerReferences: [{ uid: 'u', name: 'y' }, { uid: 'v' }] },
    });
  });
});

describe('refusals', () => {
  const live = { mergingList: [{ name: 'a' }], retainKeysMap: { name: 'x' }, simpleMap: { a: 1 } };

  it('name the mistake', () => {
    expect(apply(live, { simpleMap: { $patch: 'nonsense' } })).toMatch(/^unknown patch type: nonsense in map: /);
    expect(apply(live, { mergingList: [{ name: 'a', $patch: 1 }] })).toMatch(/^unknown patch type: 1 in map: /);
    expect(apply(live, { mergingList: [{ value: 1 }] })).toBe(
      'map: {"value":1} does not contain declared merge key: name',
    );
    expect(apply(live, { mergingList: [{ $patch: 'delete' }] })).toMatch(/does not contain declared merge key: name$/);
    expect(apply(live, { mergingList: ['text'] })).toBe('list element types are not identical');
    expect(apply(live, { retainKeysMap: { $retainKeys: ['value'], name: 'y' } })).toBe(
      'invalid patch format of retainKeys',
    );
    expect(apply(live, { retainKeysMap: { $retainKeys: 'name' } })).toBe('invalid patch format of retainKeys');
    expect(apply(live, { '$setElementOrder/mergingList': 'x' })).toMatch(/^expected a list/);
    expect(apply(live, { '$setElementOrder/nothing': [] })).toMatch(/unable to find/);
    const disordered = { '$setElementOrder/mergingList': [{ name: 'b' }], mergingList: [{ name: 'a', value: 2 }] };
    expect(apply(live, disordered)).toMatch(/^The order in patch list:/);
  });

  it('of bodies other than objects name their type', () => {
    const message = (body: JsonValue): string => {
      const decoded = decodeStrategicPatch(body);
      return decoded.ok ? 'ok' : decoded.failure.message;
    };
    expect(message([])).toBe('json: cannot unmarshal array into Go value of type map[string]interface {}');
    expect(message(null)).toBe('ok');
  });

  it('keep names that objects inherit apart from members', () => {
    expect(apply({}, JSON.parse('{"constructor":{"a":1},"toString":[1]}'))).toEqual(
      JSON.parse('{"constructor":{"a":1},"toString":[1]}'),
    );
    const odd = apply({}, JSON.parse('{"__proto__":{"a":1}}'));
    expect(JSON.stringify(odd)).toBe('{"__proto__":{"a":1}}');
  });
});

describe('a directive for a missing object', () => {
  const merged = (patch: JsonObject, drops: boolean) => {
    const result = applyStrategicPatch({}, patch, schema, drops);
    return result.ok && result.value;
  };

  it.each<[JsonObject, JsonObject]>([
    [{ simpleMap: { $patch: 'delete', a: 'b' } }, { simpleMap: {} }],
    [{ simpleMap: { $patch: 'replace', a: 'b' } }, { simpleMap: { a: 'b' } }],
    [{ simpleMap: { $patch: 'other', a: 'b' } }, { simpleMap: { $patch: 'other', a: 'b' } }],
  ])('turns %j into %j, or stays as a member', (patch, expected) => {
    expect([merged(patch, true), merged(patch, false)]).toEqual([expected, patch]);
  });
});
