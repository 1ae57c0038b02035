/** Ownership of creates, updates and patches. */
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject, ManagedFieldsEntry, Schema } from '../../../../../runtime/contract/index.js';
import { fieldSetOf } from '../../../../../runtime/merge/field-set.js';
import { updateManagedFields, type WriteRequest } from '../../../../../runtime/merge/managed-fields/update.js';
import { compileTypedPlan } from '../../../../../runtime/merge/typed/compile.js';

const textMap: Schema = { type: 'object', additionalProperties: { type: 'string' } };
const configMap: Schema = {
  type: 'object',
  properties: { data: textMap, status: textMap, immutable: { type: 'boolean' } },
};
const plan = compileTypedPlan(configMap, 'typed');
const time = (second: number): string => `2024-01-01T00:00:${String(second).padStart(2, '0')}Z`;

const object = (data: JsonObject, managedFields?: ManagedFieldsEntry[]): ApiObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'x', ...(managedFields === undefined ? {} : { managedFields }) },
  data,
});

type Rest = Partial<WriteRequest>;

const write = (next: ApiObject, manager: string, second: number, rest: Rest = {}): ManagedFieldsEntry[] | undefined =>
  updateManagedFields({ plan, next, manager, apiVersion: 'v1', subresource: '', now: time(second), ...rest });

/** Stores the result of a write of the data, and returns it. */
const store = (
  live: ApiObject | undefined,
  data: JsonObject,
  manager: string,
  second: number,
  rest: Rest = {},
): ApiObject => {
  const next = object(data);
  return object(data, write(next, manager, second, live === undefined ? rest : { live, ...rest }));
};

const summary = (entries: readonly ManagedFieldsEntry[] | undefined): unknown[] =>
  (entries ?? []).map(({ manager, time: at, fieldsV1 }) => [manager, at, fieldsV1?.['f:data'] ?? fieldsV1]);

describe('a create', () => {
  it('gives the creator all written fields, with new containers', () => {
    const next = { ...object({ b: '1', a: '2' }), metadata: { name: 'x', generateName: 'y', labels: { l: '1' } } };
    expect(write(next, 'm', 1)).toEqual([
      {
        manager: 'm',
        operation: 'Update',
        apiVersion: 'v1',
        time: time(1),
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:data': { '.': {}, 'f:a': {}, 'f:b': {} },
          'f:metadata': { 'f:generateName': {}, 'f:labels': { '.': {}, 'f:l': {} } },
        },
      },
    ]);
  });

  it('does not assign objects that always exist', () => {
    const spec: Schema = { type: 'object', properties: { a: textMap }, 'x-kindforge-presence': 'always' };
    const always = compileTypedPlan({ type: 'object', properties: { spec } }, 'typed');
    const next: ApiObject = { apiVersion: 'v1', kind: 'A', metadata: {}, spec: { a: { x: '1' } } };
    expect(write(next, 'm', 1, { plan: always })?.[0]?.fieldsV1).toEqual({
      'f:spec': { 'f:a': { '.': {}, 'f:x': {} } },
    });
  });

  it('that writes no fields leaves the object untracked, for updates too', () => {
    const live = store(undefined, {}, 'm', 1);
    const bare: ApiObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } };
    expect(write(bare, 'm', 1)).toBeUndefined();
    expect(live.metadata.managedFields?.length).toBe(1);
    expect(write(object({ a: '1' }), 'm', 2, { live: bare })).toBeUndefined();
  });
});

describe('an update', () => {
  it('takes changed fields from their owner, who keeps the rest with its time', () => {
    const live = store(undefined, { a: '1', b: '1' }, 'one', 1);
    const next = store(live, { a: '2', b: '1', c: '1' }, 'two', 2);
    expect(summary(next.metadata.managedFields)).toEqual([
      ['one', time(1), { '.': {}, 'f:b': {} }],
      ['two', time(2), { 'f:a': {}, 'f:c': {} }],
    ]);
  });

  it('of the owner adds to its fields and moves its time', () => {
    const live = store(undefined, { a: '1' }, 'one', 1);
    const next = store(live, { a: '2', b: '1' }, 'one', 2);
    expect(summary(next.metadata.managedFields)).toEqual([['one', time(2), { '.': {}, 'f:a': {}, 'f:b': {} }]]);
  });

  it('that only removes makes nobody an owner, and moves no time', () => {
    const live = store(undefined, { a: '1', b: '1' }, 'one', 1);
    const next = store(live, { b: '1' }, 'two', 2);
    expect(summary(next.metadata.managedFields)).toEqual([['one', time(1), { '.': {}, 'f:b': {} }]]);
  });

  it('drops managers without fields, and sorts by time, then name', () => {
    let live = store(undefined, { a: '1' }, 'one', 1);
    live = store(live, { a: '1', z: '1' }, 'z', 2);
    live = store(live, { a: '1', z: '1', b: '1' }, 'b', 2);
    live = store(live, { a: '1', z: '2', b: '1' }, 'c', 1);
    expect(summary(live.metadata.managedFields)).toEqual([
      ['c', time(1), { 'f:z': {} }],
      ['one', time(1), { '.': {}, 'f:a': {} }],
      ['b', time(2), { 'f:b': {} }],
    ]);
  });

  it('that changes nothing returns the same entries', () => {
    const live = store(undefined, { a: '1' }, 'one', 1);
    expect(write(object({ a: '1' }), 'two', 2, { live })).toBe(live.metadata.managedFields);
    const withMeta = { ...object({ a: '1' }), metadata: { name: 'x', resourceVersion: '7', generation: 3 } };
    expect(write(withMeta, 'two', 2, { live })).toBe(live.metadata.managedFields);
  });

  it('never owns fields that it cannot change', () => {
    const resetFields = fieldSetOf([['f:status']]);
    const next: ApiObject = { ...object({ a: '1' }), status: { s: '1' } };
    expect(write(next, 'm', 1, { resetFields })?.[0]?.fieldsV1).toEqual({ 'f:data': { '.': {}, 'f:a': {} } });
    const live = { ...object({ a: '1' }, write(next, 'm', 1)), status: { s: '1' } };
    const other: ApiObject = { ...object({ a: '2' }), status: { s: '2' } };
    expect(write(other, 'n', 2, { live, resetFields })?.map(({ fieldsV1 }) => fieldsV1)).toEqual([
      { 'f:data': {}, 'f:status': { '.': {}, 'f:s': {} } },
      { 'f:data': { 'f:a': {} } },
    ]);
  });

  it('distinguishes managers by subresource and version', () => {
    const live = store(undefined, { a: '1' }, 'm', 1);
    const viaStatus = store(live, { a: '1', b: '1' }, 'm', 2, { subresource: 'status' });
    expect(viaStatus.metadata.managedFields?.map(({ subresource }) => subresource)).toEqual([undefined, 'status']);
    const convert = (value: JsonObject) => ({ ok: true, value }) as const;
    const versions = { versionOf: () => ({ plan }), convert };
    const inOther = store(live, { a: '2', b: '1' }, 'm', 2, { apiVersion: 'v2', versions });
    expect(inOther.metadata.managedFields?.map(({ apiVersion }) => apiVersion)).toEqual(['v1', 'v2']);
  });
});

describe('other versions', () => {
  const renamed = compileTypedPlan({ type: 'object', properties: { values: textMap } }, 'typed');

  it('lose changed fields under their names in that version', () => {
    const versions = {
      versionOf: (version: string) => (version === 'v0' ? { plan: renamed } : undefined),
      convert: ({ data, ...rest }: JsonObject) => ({ ok: true, value: { ...rest, values: data } }) as const,
    };
    const fieldsV1 = { 'f:values': { '.': {}, 'f:a': {}, 'f:b': {} } };
    const old = { manager: 'old', operation: 'Update', apiVersion: 'v0', fieldsType: 'FieldsV1', fieldsV1 } as const;
    const live = object({ a: '1', b: '1' }, [old]);
    const entries = write(object({ a: '1', b: '2' }), 'new', 1, { live, versions });
    expect(entries?.map((entry) => entry.fieldsV1)).toEqual([
      { 'f:values': { '.': {}, 'f:a': {} } },
      { 'f:data': { 'f:b': {} } },
    ]);
  });

  it('that were removed are forgotten with the next change', () => {
    const gone = {
      manager: 'old',
      operation: 'Update',
      apiVersion: 'v9',
      fieldsType: 'FieldsV1',
      fieldsV1: { 'f:data': {} },
    } as const;
    const live = object({ a: '1' }, [gone]);
    expect(summary(write(object({ a: '2' }), 'new', 1, { live }))).toEqual([['new', time(1), { 'f:a': {} }]]);
    // A custom resource loses all of its owners with it, even by a write that changes nothing else.
    for (const a of ['1', '2']) expect(write(object({ a }), 'new', 1, { live, isCustom: true })).toBeUndefined();
    expect(write(object({ a: '2' }, [gone]), 'new', 1, { live: object({ a: '1' }), isCustom: true })).toBeUndefined();
  });
});

describe('a change of the schema', () => {
  it('from granular to atomic gives the whole to the owners of its parts', () => {
    const live = store(undefined, { a: '1', b: '1' }, 'm', 1);
    const atomic: Schema = { ...configMap, properties: { data: { ...textMap, 'x-kubernetes-map-type': 'atomic' } } };
    const next: ApiObject = { ...object({ a: '1', b: '1' }), immutable: true };
    const entries = write(next, 'n', 2, { live, plan: compileTypedPlan(atomic, 'typed') });
    expect(entries?.[0]?.fieldsV1).toEqual({ 'f:data': {} });
  });
});

describe('entries that clients send', () => {
  const live = store(undefined, { a: '1', b: '1' }, 'one', 1);
  const entry = { manager: 'w', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' } as const;
  const send = (managedFields: JsonObject[], data: JsonObject = { a: '1', b: '1' }, rest: Rest = {}): unknown[] =>
    summary(write(object(data, managedFields), 'writer', 2, { live, ...rest }));

  it('replace the stored ones', () => {
    const at = '2020-01-01T01:00:00.5+01:00';
    expect(send([{ ...entry, time: at, fieldsV1: { 'f:data': { 'f:b': {} } } }])).toEqual([
      ['w', '2020-01-01T00:00:00Z', { 'f:b': {} }],
    ]);
  });

  it('do not count when invalid, absent, or sent through a subresource', () => {
    const stored = summary(live.metadata.managedFields);
    const fieldsV1 = { 'f:data': {} };
    expect(send([{ ...entry, fieldsV1, operation: 'Replace' }])).toEqual(stored);
    expect(send([{ ...entry, fieldsV1, fieldsType: 'FieldsV2' }])).toEqual(stored);
    expect(send([{ ...entry, fieldsV1, apiVersion: '' }])).toEqual(stored);
    expect(send([{ ...entry, fieldsV1, time: 'yesterday' }])).toEqual(stored);
    expect(send([{ ...entry, fieldsV1: { data: {} } }])).toEqual(stored);
    expect(send([{}, {}])).toEqual(stored);
    expect(send([{ ...entry, fieldsV1 }], { a: '1', b: '1' }, { subresource: 'status' })).toEqual(stored);
  });

  it('count on create too', () => {
    const sent: ManagedFieldsEntry[] = [{ ...entry, time: time(0), fieldsV1: { 'f:data': { 'f:zzz': {} } } }];
    expect(summary(write(object({ a: '1' }, sent), 'm', 1))).toEqual([
      ['w', time(0), { 'f:zzz': {} }],
      ['m', time(1), { '.': {}, 'f:a': {} }],
    ]);
  });

  it('with no fields are dropped', () => {
    expect(send([{ ...entry, fieldsV1: {} }])).toEqual([]);
    expect(send([{ ...entry, apiVersion: 'v9', fieldsV1: { 'f:data': {} } }])).toEqual([]);
  });

  it('reset ownership as a list of one empty object, before the writer owns what it changes', () => {
    const reset = [{}];
    expect(send(reset)).toEqual([]);
    expect(send(reset, { a: '2', b: '1', c: '1' })).toEqual([['writer', time(2), { 'f:a': {}, 'f:c': {} }]]);
    expect(send(reset, { a: '2' }, { subresource: 'status' })).not.toEqual([]);
    expect(summary(write(object({ a: '1' }, reset), 'm', 1))).toEqual([['m', time(1), { '.': {}, 'f:a': {} }]]);
  });

  it('do not reset as an empty list', () => {
    expect(send([])).toEqual([['one', time(1), { '.': {}, 'f:a': {}, 'f:b': {} }]]);
    expect(send([], { a: '2', b: '1' })).toEqual([
      ['one', time(1), { '.': {}, 'f:b': {} }],
      ['writer', time(2), { 'f:a': {} }],
    ]);
    expect(summary(write(object({ a: '1' }, []), 'm', 1))).toEqual([['m', time(1), { '.': {}, 'f:a': {} }]]);
  });
});

describe('the number of updaters', () => {
  it('is limited by merging the oldest', () => {
    const data: JsonObject = { k0: '1' };
    let live = store(undefined, { ...data }, 'm0', 0);
    for (let i = 1; i < 12; i++) {
      data[`k${i}`] = '1';
      live = store(live, { ...data }, `m${i}`, i);
    }
    const entries = live.metadata.managedFields ?? [];
    expect(entries.length).toBe(10);
    expect(summary(entries)[0]).toEqual(['ancient-changes', time(2), { '.': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {} }]);
  });
});
