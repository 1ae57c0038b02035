/** The dynamic client: kinds that are known only at run time, manifests, tables and schemas. */
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type DynamicApi,
  type DynamicObject,
  dynamicClient,
  isConflict,
  isNotFound,
  isUnknownKind,
  SchemaError,
} from '../../client/index.js';
import { rejection } from '../support/sdk.js';
import { servingForTests } from '../support/serving.js';

const mine = { fieldManager: 'me' };

const manifests = `
apiVersion: toys.example.com/v1
kind: Top
metadata: { name: humming, namespace: toys }
spec: { colour: red, spins: 9007199254740993 }
---
apiVersion: apiextensions.NAMES/v1
kind: CustomResourceDefinition
metadata: { name: tops.toys.example.com }
spec:
  group: toys.example.com
  names: { plural: tops, singular: top, kind: Top, shortNames: [tp] }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      additionalPrinterColumns: [{ name: Colour, type: string, jsonPath: .spec.colour }]
      subresources: { status: {} }
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              required: [colour]
              properties:
                colour: { type: string, enum: [red, blue] }
                spins: { type: integer, format: int64 }
            status: { type: object, properties: { spun: { type: integer } } }
---
apiVersion: v1
kind: Namespace
metadata: { name: toys }
`;

describe.each(['platform', 'kubernetes'] as const)('the dynamic client under %s names', (naming) => {
  const suffix = naming === 'kubernetes' ? 'k8s.io' : 'platform.io';
  const server = servingForTests({ naming });
  let api: DynamicApi;

  beforeAll(async () => {
    api = dynamicClient({ baseUrl: server().url });
  });

  const top = (name: string, spec: object): DynamicObject => ({
    apiVersion: 'toys.example.com/v1',
    kind: 'Top',
    metadata: { name, namespace: 'toys' },
    spec,
  });

  it('applies manifests in any order, together with their kinds', async () => {
    await api.kinds();
    const told: string[] = [];
    const onResult = ({ manifest }: { readonly manifest: DynamicObject }): unknown => told.push(manifest.kind);
    const results = await api.applyAll(manifests.replace('NAMES', suffix), { ...mine, onResult });
    expect(results.map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect(told).toEqual(['Namespace', 'CustomResourceDefinition', 'Top']);
    expect(results[2]?.object).toMatchObject({ spec: { colour: 'red', spins: 9007199254740993n } });
  });

  it('continues if one manifest is refused', async () => {
    const wrong = top('wrong', { colour: 'green' });
    const stray = { apiVersion: 'toys.example.com/v1', kind: 'Ball', metadata: { name: 'b' } };
    const results = await api.applyAll([stray, wrong, top('right', { colour: 'blue' })], mine);
    expect(isUnknownKind(results[0]?.error)).toBe(true);
    expect(results[1]?.error).toMatchObject({ reason: 'Invalid' });
    expect(results[2]?.object?.metadata.name).toBe('right');
  });

  it('has all verbs for a named kind', async () => {
    const tops = (await api.resource('tp')).in('toys');
    await tops.create(top('wooden', { colour: 'red' }));
    expect(await tops.patch('wooden', { spec: { spins: 1 } })).toMatchObject({ spec: { spins: 1 } });
    expect(await tops.subresource('status').patch('wooden', { status: { spun: 1 } })).toMatchObject({
      status: { spun: 1 },
    });
    const watch = tops.watch({ fieldSelector: 'metadata.name=wooden' });
    expect((await watch.next()).value).toMatchObject({ type: 'ADDED', object: { spec: { colour: 'red' } } });
    await watch.return();
    const { items } = await (await api.resource({ group: 'toys.example.com', plural: 'tops' })).list();
    expect(items.map(({ metadata }) => metadata.name).sort()).toEqual(['humming', 'right', 'wooden']);
    await tops.delete('wooden');
    expect(isNotFound(await rejection(tops.get('wooden')))).toBe(true);
  });

  it('sends requests about single objects to the right place', async () => {
    const map: DynamicObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm' }, data: { a: '1' } };
    expect((await api.create(map)).metadata.namespace).toBe('default');
    const read = await api.get(map);
    expect((await api.update({ ...read, data: { a: '2' } })).data).toEqual({ a: '2' });
    expect(isConflict(await rejection(api.update({ ...read, data: { a: '3' } })))).toBe(true);
    expect((await api.patch(map, { data: { b: '1' } })).data).toEqual({ a: '2', b: '1' });
    expect(isConflict(await rejection(api.apply(map, mine)))).toBe(true);
    expect((await api.apply(map, { ...mine, force: true })).data).toEqual({ a: '1', b: '1' });
    await api.delete(map);
    expect(isNotFound(await rejection(api.get(map)))).toBe(true);
    const elsewhere = dynamicClient({ baseUrl: server().url, namespace: 'toys' });
    expect((await elsewhere.create(map)).metadata.namespace).toBe('toys');
  });

  it('returns tables of objects and of changes', async () => {
    const tops = await api.resource('tops');
    const table = await tops.table({ namespace: 'toys' });
    expect(table.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Colour']);
    expect(table.rows.map(({ cells }) => cells)).toEqual([
      ['humming', 'red'],
      ['right', 'blue'],
    ]);
    const one = await tops.table({ namespace: 'toys', name: 'right', includeObject: 'Object' });
    expect(one.rows[0]?.object).toMatchObject({ spec: { colour: 'blue' } });
    const changes = tops.watchTable({ namespace: 'toys', name: 'right' });
    await changes.next();
    await api.patch(top('right', {}), { spec: { colour: 'red' } });
    const { value } = await changes.next();
    expect(value).toMatchObject({ type: 'MODIFIED', table: { rows: [{ cells: ['right', 'red'] }] } });
    expect(value?.table.columnDefinitions).toHaveLength(2);
    await changes.return();
  });

  it('checks objects by the schema of the server, and sends only valid objects', async () => {
    const wrong = { ...top('wrong', { colour: 'green', spin: 1 }), extra: true };
    expect((await api.check(wrong)).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'spec.spin: unknown field; did you mean spins?',
      'extra: unknown field',
      'spec.colour: Unsupported value: "green": supported values: "red", "blue"',
    ]);
    const checking = dynamicClient({ baseUrl: server().url, check: true });
    const error = await rejection(checking.create(wrong));
    expect(error).toBeInstanceOf(SchemaError);
    expect(String(error)).toContain('Top "wrong" does not fit the schema of the server: spec.spin: unknown field;');
    expect((await checking.create(top('fitting', { colour: 'blue' }))).metadata.name).toBe('fitting');
  });

  it('finds no mistakes in the objects of the server itself, of any kind', async () => {
    const { kinds } = await api.kinds();
    const listed = kinds.filter(({ verbs }) => verbs.includes('list'));
    const lists = await Promise.all(
      listed.map(async ({ group, version, plural }) => (await api.resource({ group, version, plural })).list()),
    );
    const objects = lists.flatMap(({ items }) => items);
    expect(objects.length).toBeGreaterThan(100);
    for (const object of objects) expect([object.kind, await api.check(object)]).toEqual([object.kind, []]);
  });

  it('deletes manifests again, and ignores missing objects', async () => {
    const results = await api.deleteAll(manifests.replace('NAMES', suffix));
    expect(results.map(({ manifest, found, error }) => [manifest.kind, found, error])).toEqual([
      ['Top', true, undefined],
      ['CustomResourceDefinition', true, undefined],
      ['Namespace', true, undefined],
    ]);
    await expect
      .poll(async () => (await api.deleteAll([top('humming', {})])).map(({ found }) => found))
      .toEqual([false]);
  });
});
