import { describe, expect, it } from 'vitest';
import { importOpenApi, printRemarks, readDiscovery, summarizeRemarks } from '../../../../generator/import/index.js';
import type { JsonObject, JsonValue } from '../../../../runtime/contract/index.js';
import { get, list } from '../../../../runtime/schema/read.js';

const gvk = (kind: string, version = 'v1') => ({ group: 'example.com', version, kind });
const kindId = (kind: string, version = 'v1') => `com.example.${version}.${kind}`;
const ref = (id: string) => ({ $ref: `#/definitions/${id}` });

const operation = (kind: string, more: JsonObject = {}, version = 'v1'): JsonObject => ({
  'x-kubernetes-group-version-kind': gvk(kind, version),
  responses: { 200: { schema: ref(kindId(kind, version)) } },
  ...more,
});

const kindOf = (kind: string, properties: JsonObject, version = 'v1'): JsonObject => ({
  type: 'object',
  required: ['metadata', 'spec'],
  properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' }, ...properties },
  'x-kubernetes-group-version-kind': [gvk(kind, version)],
});

const spec: JsonObject = { spec: { type: 'object', properties: { size: { type: 'integer' } } } };
const base = '/apis/example.com/v1/namespaces/{namespace}/things';

const document = (paths: JsonObject, definitions: JsonObject): JsonObject => ({ swagger: '2.0', paths, definitions });
const thing = (paths: JsonObject = {}, definitions: JsonObject = {}): JsonObject =>
  document(
    { [base]: { get: operation('Thing', { responses: { 200: { schema: ref(kindId('ThingList')) } } }) }, ...paths },
    { [kindId('Thing')]: kindOf('Thing', spec), ...definitions },
  );

const run = (...documents: JsonValue[]) => {
  const { files, errors, notes, resources } = importOpenApi(documents);
  const values = Object.fromEntries(files.map(({ path, value }) => [path, value]));
  return { values, errors: printRemarks(errors), notes: summarizeRemarks(notes), resources };
};

const specOf = (values: Readonly<Record<string, JsonObject>>) => values['example.com/things.yaml']?.spec;

describe('a resource', () => {
  it('has names, scope and verbs from its paths, and a schema without the envelope', () => {
    const paths = { [`${base}/{name}`]: { get: operation('Thing'), delete: operation('Thing') } };
    expect(run(thing(paths))).toEqual({
      errors: [],
      notes: [],
      resources: 1,
      values: {
        'example.com/things.yaml': {
          apiVersion: 'kindforge.dev/v1',
          kind: 'ResourceDefinition',
          metadata: { name: 'things.example.com' },
          spec: {
            group: 'example.com',
            names: { plural: 'things', kind: 'Thing' },
            scope: 'Namespaced',
            verbs: ['delete', 'get', 'list'],
            versions: [
              {
                name: 'v1',
                served: true,
                storage: true,
                schema: { openAPIV3Schema: { type: 'object', required: ['metadata', 'spec'], properties: spec } },
              },
            ],
          },
        },
      },
    });
  });

  it('can be watched if a path or a parameter of lists allows it', () => {
    const list = (parameters: JsonValue) => ({ [base]: { get: operation('Thing', { parameters }) } });
    const verbsOf = (paths: JsonObject, more: JsonObject = {}) => specOf(run({ ...thing(paths), ...more }).values);
    expect(verbsOf({ [base.replace('v1', 'v1/watch')]: { get: operation('Thing') } })).toMatchObject({
      verbs: ['list', 'watch'],
    });
    expect(verbsOf(list([{ name: 'watch', in: 'query' }]))).toMatchObject({ verbs: ['list', 'watch'] });
    const shared = { parameters: { 'watch-x': { name: 'watch' } } };
    expect(verbsOf(list([{ $ref: '#/parameters/watch-x' }]), shared)).toMatchObject({ verbs: ['list', 'watch'] });
    expect(verbsOf(list([{ name: 'limit', in: 'query' }]))).toMatchObject({ verbs: ['list'] });
  });

  it('has the kind of lists and the answer of deletes, if these are unusual', () => {
    const definitions = {
      [kindId('ThingList')]: { 'x-kubernetes-group-version-kind': [gvk('Things')] },
      Status: { 'x-kubernetes-group-version-kind': [{ group: '', version: 'v1', kind: 'Status' }] },
    };
    const deleting = { delete: operation('Thing', { responses: { 200: { schema: ref('Status') } } }) };
    expect(specOf(run(thing({ [`${base}/{name}`]: deleting }, definitions)).values)).toMatchObject({
      names: { listKind: 'Things' },
      deleteReturns: 'Status',
    });
  });

  it('has all of its versions, and stores the most stable', () => {
    const paths = { [base.replace('v1', 'v2beta1')]: { get: operation('Thing', {}, 'v2beta1') } };
    const definitions = { [kindId('Thing', 'v2beta1')]: kindOf('Thing', {}, 'v2beta1') };
    expect(specOf(run(thing(paths, definitions)).values)).toMatchObject({
      versions: [
        { name: 'v1', storage: true },
        { name: 'v2beta1', storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
      ],
    });
  });

  it('has short names, categories and the preferred version from discovery', () => {
    const paths = { [base.replace('v1', 'v2')]: { get: operation('Thing', {}, 'v2') } };
    const definitions = { [kindId('Thing', 'v2')]: kindOf('Thing', {}, 'v2') };
    const resource = { name: 'things', singularName: 'thing', shortNames: ['th'], categories: ['all'] };
    const discovered = readDiscovery({
      groups: { groups: [{ name: 'example.com', preferredVersion: { version: 'v1' } }] },
      resources: [{ groupVersion: 'example.com/v1', resources: [resource] }],
    });
    const [file] = importOpenApi([thing(paths, definitions)], { discovered }).files;
    expect(file?.value.spec).toMatchObject({
      names: { plural: 'things', kind: 'Thing', singular: 'thing', shortNames: ['th'], categories: ['all'] },
      versions: [
        { name: 'v2', storage: false },
        { name: 'v1', storage: true },
      ],
    });
  });

  it('may be in several documents, and in documents of version 3', () => {
    const text = JSON.stringify(thing()).replaceAll('#/definitions/', '#/components/schemas/');
    const { paths, definitions }: JsonObject = JSON.parse(text);
    const parts = [
      { openapi: '3.0.0', paths },
      { openapi: '3.0.3', components: { schemas: definitions } },
    ];
    expect(run(...parts)).toEqual(run(thing()));
  });
});

describe('subresources', () => {
  const replicas: JsonObject = {
    type: 'object',
    properties: { replicas: { type: 'integer' }, selector: { type: 'string' } },
  };
  const below = (name: string, item: JsonObject) => ({ [`${base}/{name}/${name}`]: item });
  const subresources = (paths: JsonObject, properties: JsonObject = { status: ref('Part'), spec: ref('Part') }) => {
    const definitions = { [kindId('Thing')]: kindOf('Thing', properties), Part: replicas };
    const { values, notes } = run(thing(paths, definitions));
    const [version] = list(get(specOf(values), 'versions'));
    return { subresources: get(version, 'subresources'), notes };
  };
  const all = { get: operation('Thing'), put: operation('Thing'), patch: operation('Thing') };

  it('are scale, and paths with the kind itself', () => {
    const scale = {
      get: { ...all.get, 'x-kubernetes-group-version-kind': { group: 'autoscaling', version: 'v1', kind: 'Scale' } },
    };
    expect(subresources({ ...below('status', all), ...below('scale', scale) })).toEqual({
      subresources: {
        status: {},
        scale: {
          verbs: ['get'],
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      notes: [],
    });
  });

  it.each([
    [
      'approval',
      { put: operation('Thing') },
      { approval: { verbs: ['update'] } },
      'subresource approval writes nothing yet: list in `writes` the fields that it may change',
    ],
    ['token', { post: operation('Token') }, undefined, 'subresource token is left out: it takes another kind (Token)'],
    [
      'exec',
      { get: operation('Thing', { 'x-kubernetes-action': 'connect' }) },
      undefined,
      'subresource exec is left out: it opens a connection, or answers with text',
    ],
    [
      'log',
      { get: operation('Thing', { responses: { 200: { schema: { type: 'string' } } } }) },
      undefined,
      'subresource log is left out: it opens a connection, or answers with text',
    ],
    ['Odd-1', all, undefined, 'subresource Odd-1 is left out: its name must have only lower-case letters'],
  ])('are reported if they have too little or too much: %s', (name, item, expected, note) => {
    const { subresources: found, notes } = subresources(below(name, item));
    expect(found).toEqual(expected);
    expect(notes).toEqual([expect.stringContaining(note)]);
  });

  it('need their fields', () => {
    const { subresources: found, notes } = subresources({ ...below('status', all), ...below('scale', all) }, spec);
    expect(found).toBeUndefined();
    expect(notes).toHaveLength(2);
  });
});

describe('shared types', () => {
  const withPart = (definitions: JsonObject, part: JsonObject = ref('com.example.v1.Part')) =>
    run(thing({}, { [kindId('Thing')]: kindOf('Thing', { spec: part }), ...definitions })).values;
  const typesOf = (values: Readonly<Record<string, JsonObject>>, path = 'types/example.com-v1.yaml') =>
    values[path]?.spec;

  it('are the types that resources refer to, under their names', () => {
    const values = withPart({
      'com.example.v1.Part': {
        type: 'object',
        properties: { at: ref('io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime') },
      },
      'com.example.v1.Unused': { type: 'object' },
      'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime': { type: 'string', format: 'date-time', description: 'A time.' },
    });
    expect(typesOf(values)).toEqual({
      types: { Part: { type: 'object', properties: { at: { $ref: 'meta/v1#/MicroTime' } } } },
    });
    expect(values['types/meta-v1.yaml']?.spec).toEqual({
      types: {
        MicroTime: { description: 'A time.', type: 'string', format: 'date-time', 'x-kindforge-time': 'micros' },
      },
    });
  });

  it('have their circles cut, each at one place', () => {
    const values = withPart({
      'com.example.v1.Part': {
        type: 'object',
        properties: { next: ref('com.example.v1.Other'), other: { type: 'array', items: ref('com.example.v1.Part') } },
      },
      'com.example.v1.Other': { type: 'object', properties: { back: ref('com.example.v1.Part') } },
    });
    const cut = { $ref: 'example.com/v1#/Part', 'x-kubernetes-preserve-unknown-fields': true };
    expect(typesOf(values)).toEqual({
      types: {
        Other: { type: 'object', properties: { back: cut } },
        Part: {
          type: 'object',
          properties: { next: { $ref: 'example.com/v1#/Other' }, other: { type: 'array', items: cut } },
        },
      },
    });
  });

  it('may be in chains of any length', () => {
    const count = 20_000;
    const chain = Array.from({ length: count }, (_, i) => [
      `com.example.v1.T${i}`,
      { type: 'object', properties: { next: ref(`com.example.v1.T${(i + 1) % count}`) } },
    ]);
    const values = withPart(Object.fromEntries(chain), ref('com.example.v1.T0'));
    const types = get(typesOf(values), 'types');
    expect(get(get(get(types, 'T0'), 'properties'), 'next')).toEqual({ $ref: 'example.com/v1#/T1' });
    expect(get(get(get(types, `T${count - 1}`), 'properties'), 'next')).toEqual({
      $ref: 'example.com/v1#/T0',
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });

  it('may be kinds that others contain, or that contain themselves', () => {
    const values = withPart({}, { type: 'array', items: ref(kindId('Thing')) });
    expect(typesOf(values)).toMatchObject({
      types: {
        Thing: { properties: { metadata: {}, spec: { items: { 'x-kubernetes-preserve-unknown-fields': true } } } },
      },
    });
  });

  it('know how an absent key of a list counts', () => {
    const list = { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['port', 'protocol'] };
    const values = withPart(
      {
        'com.example.v1.Part': {
          type: 'object',
          required: ['port'],
          properties: { port: { type: 'integer' }, protocol: { type: 'string' } },
        },
      },
      { ...list, items: ref('com.example.v1.Part') },
    );
    expect(typesOf(values)).toMatchObject({
      types: { Part: { properties: { port: { type: 'integer' }, protocol: { 'x-kindforge-presence': 'implicit' } } } },
    });
  });
});

describe('a text that is not a document', () => {
  it.each<[JsonValue, string]>([
    [{}, 'this is not an OpenAPI document: it has neither `swagger: "2.0"` nor `openapi: "3.0.…"`'],
    ['text', 'this is not an OpenAPI document: it has neither `swagger: "2.0"` nor `openapi: "3.0.…"`'],
    [{ openapi: '3.1.0' }, 'openapi: version "3.1.0" is not supported; use 2.0 or 3.0'],
    [{ swagger: '1.2' }, 'swagger: version "1.2" is not supported; use 2.0 or 3.0'],
    [{ swagger: '2.0', paths: [] }, 'paths: must be an object'],
    [{ swagger: '2.0', definitions: { A: 1 } }, 'definitions.A: must be an object'],
    [
      { swagger: '2.0' },
      'paths: no path belongs to a resource: such paths have the form /apis/<group>/<version>/<resource>',
    ],
    [
      thing({}, { [kindId('Thing')]: kindOf('Thing', { spec: ref('Lost') }) }),
      'definitions["com.example.v1.Thing"].properties.spec.$ref: refers to a definition that does not exist: "#/definitions/Lost"',
    ],
    [
      thing({}, { [kindId('Thing')]: { type: 'string', 'x-kubernetes-group-version-kind': [gvk('Thing')] } }),
      'definitions["com.example.v1.Thing"]: a kind must be of type object',
    ],
  ])('is refused with the place: %j', (raw, message) => {
    expect(run(raw)).toEqual({ values: {}, errors: [message], notes: [], resources: 0 });
  });

  it('is reported within limits', () => {
    const properties = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`p${i}`, ref(`Lost${i}`)]));
    expect(run(thing({}, { [kindId('Thing')]: kindOf('Thing', properties) })).errors).toHaveLength(100);
  });

  it('has no resources if a requested group has none', () => {
    const { errors } = importOpenApi([thing()], { groups: ['example.com', 'example.org', ''] });
    expect(printRemarks(errors)).toEqual([
      'paths: the document has resources, but not in the group example.org',
      'paths: the document has resources, but not in the group core',
    ]);
    expect(importOpenApi([thing()], { groups: ['example.com'] }).resources).toBe(1);
  });

  it('has kinds that only operations name, and kinds that have one name outside a list', () => {
    const single = { [`${base}/{name}`]: { get: operation('Thing') } };
    const { 'x-kubernetes-group-version-kind': _, ...unnamed } = kindOf('Thing', spec);
    const named = { ...unnamed, 'x-kubernetes-group-version-kind': gvk('Thing') };
    for (const kind of [unnamed, named]) {
      const { values, errors } = run(thing(single, { [kindId('Thing')]: kind }));
      expect(errors).toEqual([]);
      expect(
        get(get(get(list(get(specOf(values), 'versions'))[0], 'schema'), 'openAPIV3Schema'), 'properties'),
      ).toEqual(spec);
    }
  });

  it('has kinds that are another definition by reference', () => {
    const definitions = {
      [kindId('Thing')]: { ...ref('Other'), 'x-kubernetes-group-version-kind': [gvk('Thing')] },
      Other: kindOf('Thing', spec),
    };
    const { values, errors } = run(thing({}, definitions));
    expect(errors).toEqual([]);
    expect(get(get(list(get(specOf(values), 'versions'))[0], 'schema'), 'openAPIV3Schema')).toMatchObject({
      properties: spec,
    });
  });

  it('has one resource of a kind in a group, the one with more verbs', () => {
    const other = '/apis/example.com/v1/processedthings';
    const { values, notes } = run(
      thing({ [other]: { post: operation('Thing') }, [`${base}/{name}`]: { get: operation('Thing') } }),
    );
    expect(Object.keys(values)).toEqual(['example.com/things.yaml']);
    expect(notes).toContainEqual(expect.stringContaining('things are of kind Thing too'));
  });

  it('accepts any value in a field that has another type in another version', () => {
    const older = base.replace('/v1/', '/v1beta1/');
    const paths = { [older]: { get: operation('Thing', {}, 'v1beta1') } };
    const kind = kindOf('Thing', { spec: { type: 'object', properties: { size: { type: 'string' } } } }, 'v1beta1');
    const { values } = run(
      thing(paths, {
        [kindId('Thing', 'v1beta1')]: { ...kind, 'x-kubernetes-group-version-kind': [gvk('Thing', 'v1beta1')] },
      }),
    );
    expect(list(get(specOf(values), 'versions'))).toMatchObject(
      ['v1', 'v1beta1'].map((name) => ({
        name,
        schema: {
          openAPIV3Schema: {
            properties: { spec: { properties: { size: { 'x-kubernetes-preserve-unknown-fields': true } } } },
          },
        },
      })),
    );
  });

  it('has nothing to import if no kind is described, and reports it', () => {
    const { errors } = run(document({ [base]: { get: operation('Thing') } }, {}));
    expect(errors).toEqual([expect.stringContaining('no definition describes kind Thing')]);
  });

  it('leaves out some resources, and reports them', () => {
    const paths = {
      '/apis/example.com/v1/bare': { get: {} },
      '/apis/../v1/climbers': { get: operation('Thing') },
      '/apis/example.com/2021-01-01/years': { get: operation('Thing') },
      '/apis/example.com/v1/lost': { get: operation('Lost') },
    };
    const { notes, resources } = run(thing(paths));
    expect(resources).toBe(1);
    expect(notes).toEqual([
      expect.stringContaining('none of its operations has `x-kubernetes-group-version-kind`'),
      expect.stringContaining('".." is not a DNS name'),
      expect.stringContaining('"2021-01-01" is not a DNS name'),
      expect.stringContaining('no definition has the `x-kubernetes-group-version-kind` of Lost'),
    ]);
  });
});
