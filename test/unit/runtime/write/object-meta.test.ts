/** Reading `metadata` of a body: types, empty values, and unknown fields. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, ResourceModule, Schema } from '../../../../runtime/contract/index.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { readObjectMeta, unknownInItsVersion } from '../../../../runtime/write/object-meta.js';
import { moduleOf } from '../../../support/modules.js';

function read(value: JsonValue | undefined) {
  const unknown: string[] = [];
  const result = readObjectMeta(value, (path) => unknown.push(path));
  return { result, unknown };
}

const metaOf = (value: JsonValue | undefined): JsonObject => {
  const { result } = read(value);
  if (!result.ok) throw new Error(result.problem);
  return JSON.parse(JSON.stringify(result.value));
};

const problemOf = (value: JsonValue): string => {
  const { result } = read(value);
  return result.ok ? '' : result.problem;
};

describe('metadata', () => {
  it('is kept unchanged if its fields have values', () => {
    const metadata = {
      name: 'a',
      namespace: 'default',
      generation: 3,
      creationTimestamp: '2020-01-01T00:00:00Z',
      deletionGracePeriodSeconds: 0,
      labels: { a: '' },
      annotations: { b: 'c' },
      finalizers: ['example.com/x'],
      ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u', controller: false }],
      managedFields: [{ manager: 'm', operation: 'Update', time: '2020-01-01T00:00:00Z', fieldsV1: { 'f:spec': {} } }],
    };
    expect(metaOf(structuredClone(metadata))).toEqual(metadata);
  });

  it.each([[undefined], [null], [{}]])('may be missing: %j', (value) => {
    expect(metaOf(value)).toEqual({});
  });

  it.each<[string, JsonObject]>([
    ['empty strings', { name: '', namespace: '', uid: '', resourceVersion: '', selfLink: '' }],
    ['zero', { generation: 0 }],
    ['nulls', { name: null, labels: null, finalizers: null, generation: null, creationTimestamp: null }],
    ['empty maps', { labels: {}, annotations: {} }],
    ['empty lists', { finalizers: [], ownerReferences: [] }],
  ])('loses %s, which mean nothing', (_what, value) => {
    expect(metaOf(value)).toEqual({});
  });

  it('keeps an empty list of owners, which means that nobody owns anything', () => {
    expect(metaOf({ managedFields: [] })).toEqual({ managedFields: [] });
    expect(metaOf({ managedFields: null })).toEqual({});
  });

  it('that was read before is accepted unchanged, field by field', () => {
    const labels = { a: 'b' };
    const entries = [{ manager: 'm', unknown: 1 }];
    const unknown: string[] = [];
    const before = { labels, managedFields: entries, other: 1, finalizers: ['x'] };
    const value = { ...before, finalizers: ['x'], annotations: {} };
    const result = readObjectMeta(value, (path) => unknown.push(path), before);
    expect(result).toEqual({ ok: true, value: { labels, managedFields: entries, finalizers: ['x'] } });
    expect(result.ok && result.value.labels).toBe(labels);
    expect(result.ok && result.value.finalizers).not.toBe(value.finalizers);
    expect(unknown).toEqual(['metadata.other']);
  });

  it.each<[JsonValue]>([['x'], [5], [true], [['f:data']]])(
    'treats an invalid set of fields as an unreadable one: %j',
    (fieldsV1) => {
      const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1' };
      expect(metaOf({ managedFields: [{ ...entry, fieldsV1 }] })).toEqual({
        managedFields: [{ ...entry, fieldsV1: { '': fieldsV1 } }],
      });
    },
  );

  it('does not change the body', () => {
    const body = { name: '', labels: { a: 'b' }, other: 1 };
    const before = structuredClone(body);
    read(body);
    expect(body).toEqual(before);
  });

  it('reads times in any zone as UTC with whole seconds', () => {
    expect(metaOf({ creationTimestamp: '2020-01-01T02:00:00.75+02:00' })).toEqual({
      creationTimestamp: '2020-01-01T00:00:00Z',
    });
  });

  it('fills in the required fields of an owner reference, and reads null items as empty ones', () => {
    const empty = { apiVersion: '', kind: '', name: '', uid: '' };
    expect(metaOf({ ownerReferences: [{ name: 'o' }], finalizers: [null, 'x'] })).toEqual({
      ownerReferences: [{ ...empty, name: 'o' }],
      finalizers: ['', 'x'],
    });
  });

  it('reads a null value in a map as the empty string', () => {
    expect(metaOf({ labels: { a: null } })).toEqual({ labels: { a: '' } });
  });
});

describe('unknown fields of metadata', () => {
  it('are reported with their path and dropped', () => {
    const { result, unknown } = read({
      name: 'a',
      nane: 'b',
      ownerReferences: [
        { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u' },
        { apiVersion: 'v1', kind: 'K', name: 'n', uid: 'u', extra: 1 },
      ],
    });
    expect(unknown).toEqual(['metadata.nane', 'metadata.ownerReferences[1].extra']);
    expect(JSON.stringify(result)).not.toMatch(/nane|extra/);
  });

  it('may have names that every object inherits', () => {
    const { result, unknown } = read(JSON.parse('{"__proto__":{"name":"x"},"constructor":1,"toString":2}'));
    expect(unknown).toEqual(['metadata.__proto__', 'metadata.constructor', 'metadata.toString']);
    expect(result).toEqual({ ok: true, value: {} });
  });

  it('are not reported in maps, where any key is allowed', () => {
    const labels: JsonObject = JSON.parse('{"__proto__":"x","constructor":"y"}');
    const { result, unknown } = read({ labels });
    expect(unknown).toEqual([]);
    expect(JSON.stringify(result)).toContain('"labels":{"__proto__":"x","constructor":"y"}');
  });
});

describe('wrong types in metadata', () => {
  const unmarshal = (found: string, field: string, wanted: string, struct = 'ObjectMeta') =>
    `json: cannot unmarshal ${found} into Go struct field ${struct}.${field} of type ${wanted}`;

  it.each<[JsonValue, string]>([
    ['text', 'json: cannot unmarshal string into Go value of type v1.ObjectMeta'],
    [[], 'json: cannot unmarshal array into Go value of type v1.ObjectMeta'],
    [{ uid: 1 }, unmarshal('number', 'metadata.uid', 'types.UID')],
    [{ name: 1 }, unmarshal('number', 'metadata.name', 'string')],
    [{ name: ['a'] }, unmarshal('array', 'metadata.name', 'string')],
    [{ labels: [] }, unmarshal('array', 'metadata.labels', 'map[string]string')],
    [{ labels: { a: true } }, unmarshal('bool', 'metadata.labels', 'string')],
    [{ generation: '1' }, unmarshal('string', 'metadata.generation', 'int64')],
    [{ finalizers: 'x' }, unmarshal('string', 'metadata.finalizers', '[]string')],
    [{ finalizers: ['x', {}] }, unmarshal('object', 'metadata.finalizers', 'string')],
    [{ ownerReferences: ['o'] }, unmarshal('string', 'metadata.ownerReferences', 'v1.OwnerReference')],
    [
      { ownerReferences: [{ name: 1 }] },
      unmarshal('number', 'metadata.ownerReferences.name', 'string', 'OwnerReference'),
    ],
    [
      { ownerReferences: [{ uid: 1 }] },
      unmarshal('number', 'metadata.ownerReferences.uid', 'types.UID', 'OwnerReference'),
    ],
    [
      { ownerReferences: [{ controller: 'true' }] },
      unmarshal('string', 'metadata.ownerReferences.controller', 'bool', 'OwnerReference'),
    ],
    [
      { managedFields: [{ time: 5 }] },
      unmarshal('number', 'metadata.managedFields.time', 'string', 'ManagedFieldsEntry'),
    ],
    [{ creationTimestamp: 5 }, unmarshal('number', 'metadata.creationTimestamp', 'string')],
    [
      { creationTimestamp: 'soon' },
      'parsing time "soon" as "2006-01-02T15:04:05Z07:00": cannot parse "soon" as "2006"',
    ],
  ])('%j is refused in the words of the decoder', (value, problem) => {
    expect(problemOf(value)).toBe(problem);
  });

  it('accept integers of any size', () => {
    expect(read({ generation: 9007199254740993n }).result).toEqual({
      ok: true,
      value: { generation: 9007199254740993n },
    });
  });
});

const spec = (...names: string[]): Schema => ({
  type: 'object',
  properties: {
    spec: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, { type: 'string' } as const])) },
  },
});

function version(name: string, schema: Schema): ResourceModule {
  return moduleOf('example.com', 'lamps', 'Lamp', { version: name, decoding: 'structural', schema });
}

const v2 = serveResource(version('v2', spec('b')));
const v1 = serveResource(version('v1', spec('a')), {
  sibling: (apiVersion) => (apiVersion === 'example.com/v2' ? v2 : undefined),
});
const body = (apiVersion: string, kind = 'Lamp') => ({
  apiVersion,
  kind,
  metadata: { name: 'x', extra: 1 },
  status: {},
  spec: { a: '', b: '' },
});

describe('a body in another version', () => {
  it('is compared with that version', () => {
    expect(unknownInItsVersion(v1, body('example.com/v2'))).toEqual(['metadata.extra', 'spec.a', 'status']);
  });

  it('has no known fields if the definition has no such version', () => {
    expect(unknownInItsVersion(v1, body('example.com/v9'))).toEqual(['metadata.extra', 'spec', 'status']);
  });

  it('is ignored if it is of another group or kind, or of a built-in kind in an unknown version', () => {
    expect(unknownInItsVersion(v1, body('example.org/v1'))).toBeUndefined();
    expect(unknownInItsVersion(v1, body('example.com/v2', 'Other'))).toBeUndefined();
    const builtIn = serveResource({ ...moduleOf('example.com', 'lamps', 'Lamp'), decoding: 'typed' });
    expect(unknownInItsVersion(builtIn, body('example.com/v9'))).toBeUndefined();
  });

  it('does not change', () => {
    const written = body('example.com/v2');
    unknownInItsVersion(v1, written);
    expect(written).toEqual(body('example.com/v2'));
  });
});
