import { describe, expect, test } from 'vitest';
import { readCustomResource } from '../../../../generator/model/custom-resource.js';
import { readNativeResource } from '../../../../generator/model/native-resource.js';
import { VERBS } from '../../../../generator/model/subresources.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';

const source = { path: 'a.yaml', hash: 'abc' };
const native = (spec: JsonObject) => readNativeResource({ spec }, source, () => undefined);
const custom = (spec: JsonObject) => readCustomResource({ spec }, source);
const schema = { openAPIV3Schema: { type: 'object', description: 'A thing.' } };
const names = { plural: 'things', kind: 'Thing' };

describe('native definitions', () => {
  test('have the defaults of the format', () => {
    expect(native({ group: '', names, scope: 'Cluster', versions: [{ name: 'v1', schema }] })).toEqual({
      group: '',
      names: {
        plural: 'things',
        singular: 'thing',
        kind: 'Thing',
        listKind: 'ThingList',
        shortNames: [],
        categories: [],
      },
      scope: 'Cluster',
      decoding: 'typed',
      verbs: VERBS,
      nameRule: { format: 'dns-1123-subdomain' },
      generation: 'counted',
      deleteReturns: 'object',
      createOnUpdate: false,
      unconditionalUpdate: true,
      description: 'A thing.',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: schema.openAPIV3Schema,
          subresources: [],
          columns: [],
          selectableFields: [],
        },
      ],
      source,
    });
  });

  test('have no stored version if several versions do not choose one', () => {
    const versions = native({
      names,
      versions: [
        { name: 'v1', schema },
        { name: 'v2', schema, storage: true },
      ],
    }).versions;
    expect(versions.map((version) => version.storage)).toEqual([false, true]);
  });

  test('have subresources', () => {
    const subresources = {
      status: { atCreate: true },
      approval: { verbs: ['get', 'update'], writes: ['status.conditions'], untracked: ['status.conditions.x'] },
      look: { writes: ['spec.looks'], shared: true },
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    };
    expect(native({ names, versions: [{ name: 'v1', schema, subresources }] }).versions[0]?.subresources).toEqual([
      { name: 'status', verbs: ['get', 'patch', 'update'], writes: ['status'], writesMetadata: true, atCreate: true },
      {
        name: 'approval',
        verbs: ['get', 'update'],
        writes: ['status.conditions'],
        writesMetadata: false,
        untracked: ['status.conditions.x'],
      },
      { name: 'look', verbs: ['get', 'patch', 'update'], writes: ['spec.looks'], writesMetadata: false, shared: true },
      {
        name: 'scale',
        verbs: ['get', 'patch', 'update'],
        writes: ['spec.replicas'],
        writesMetadata: false,
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    ]);
  });

  test('give implicit presence to scalars, lists and maps without a presence', () => {
    const openAPIV3Schema = {
      type: 'object',
      properties: {
        text: { type: 'string' },
        list: { type: 'array', items: { type: 'string' } },
        map: { type: 'object', additionalProperties: { type: 'string' } },
        told: { type: 'string', 'x-kindforge-presence': 'always' },
        flag: { type: 'boolean' },
        count: { type: 'integer', 'x-kindforge-presence': 'explicit' },
        inner: { type: 'object', properties: { text: { type: 'string' } } },
      },
    };
    const [version] = native({
      names,
      versions: [{ name: 'v1', fieldPresence: 'implicit', schema: { openAPIV3Schema } }],
    }).versions;
    const implicit = 'implicit';
    expect(version?.schema.properties).toEqual({
      text: { type: 'string', 'x-kindforge-presence': implicit },
      list: { type: 'array', items: { type: 'string' }, 'x-kindforge-presence': implicit },
      map: { type: 'object', additionalProperties: { type: 'string' }, 'x-kindforge-presence': implicit },
      told: { type: 'string', 'x-kindforge-presence': 'always' },
      flag: { type: 'boolean', 'x-kindforge-presence': implicit },
      count: { type: 'integer', 'x-kindforge-presence': 'explicit' },
      inner: { type: 'object', properties: { text: { type: 'string', 'x-kindforge-presence': implicit } } },
    });
  });

  test('treat a value of the wrong shape as absent', () => {
    const odd = native({
      group: 5,
      names: [],
      scope: 'Moon',
      verbs: 'get',
      versions: [7, null, { name: {}, schema: { openAPIV3Schema: [] } }],
    });
    expect(odd).toMatchObject({ group: '', names: { kind: '' }, scope: 'Namespaced', verbs: VERBS });
    expect(odd.versions.map((version) => version.schema)).toEqual([{}, {}, {}]);
  });
});

describe('CustomResourceDefinitions', () => {
  test('behave like custom resources', () => {
    expect(
      custom({
        group: 'example.com',
        names,
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true, schema }],
      }),
    ).toMatchObject({
      decoding: 'structural',
      generation: 'counted',
      deleteReturns: 'Status',
      createOnUpdate: false,
      unconditionalUpdate: false,
      nameRule: { format: 'dns-1123-subdomain' },
    });
  });

  test('treat nulls as absent, and null defaults too', () => {
    const openAPIV3Schema = {
      type: 'object',
      properties: { a: { type: 'string', default: null, enum: ['x', null], maxLength: null } },
    };
    const [version] = custom({
      names,
      versions: [{ name: 'v1', schema: { openAPIV3Schema }, subresources: { status: null } }],
    }).versions;
    expect(version?.schema.properties?.a).toEqual({ type: 'string', enum: ['x', null] });
    expect(version?.subresources).toEqual([]);
  });

  test('have a warning for a deprecated version, their own or the usual one', () => {
    const versions = [
      { name: 'v1', deprecated: true },
      { name: 'v2', deprecated: true, deprecationWarning: 'use v3' },
      { name: 'v3', deprecationWarning: 'never said' },
    ];
    expect(custom({ group: 'example.com', names, versions }).versions.map((version) => version.deprecation)).toEqual([
      { message: 'example.com/v1 Thing is deprecated' },
      { message: 'use v3' },
      undefined,
    ]);
  });

  test('leave metadata unchanged in a write to status', () => {
    const [version] = custom({
      names,
      versions: [{ name: 'v1', subresources: { status: {} }, selectableFields: [{ jsonPath: '.spec.a' }] }],
    }).versions;
    expect(version?.subresources).toEqual([
      { name: 'status', verbs: ['get', 'patch', 'update'], writes: ['status'], writesMetadata: false },
    ]);
    expect(version?.selectableFields).toEqual(['spec.a']);
  });

  test('ignore keys of native definitions', () => {
    const openAPIV3Schema = { type: 'object', properties: { a: { $ref: 'l#/A' } } };
    const [version] = custom({ names, versions: [{ name: 'v1', schema: { openAPIV3Schema } }] }).versions;
    expect(version?.schema.properties?.a).toEqual({ type: 'object' });
  });
});

describe('the roles with rights on a kind', () => {
  test.each([[{ read: 'edit', write: 'admin' }], [{ write: 'none' }], [{}], [{ read: 'everybody' }]])(
    'are read alike from a native definition and from annotations: %j',
    (access: Record<string, string>) => {
      const spec = { group: 'shop.example.com', names, scope: 'Cluster', versions: [{ name: 'v1', schema }] };
      const entries = Object.entries(access).map(([key, role]) => [`kindforge.dev/${key}`, role] as const);
      const metadata = { annotations: Object.fromEntries(entries) };
      const expected = access.read === 'everybody' || Object.keys(access).length === 0 ? undefined : access;
      expect(native({ ...spec, access }).access).toEqual(expected);
      expect(readCustomResource({ metadata, spec }, source).access).toEqual(expected);
    },
  );
});
