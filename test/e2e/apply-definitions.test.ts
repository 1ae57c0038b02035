/** Owners of fields of custom resources after changes of the definition: list and map types, and versions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import { type Answer, askLater } from '../support/ask.js';
import { servingForTests } from '../support/serving.js';

const definitions = '/apis/apiextensions.platform.io/v1/customresourcedefinitions';

const running = servingForTests({ authorizationMode: 'AlwaysAllow', controllers: 'none' });

const ask = askLater(running);

const text: JsonObject = { type: 'string' };

/** Makes a version of racks with lists and maps of these types. */
function version(name: string, storage: boolean, granular: boolean): JsonObject {
  const mapType = granular ? 'granular' : 'atomic';
  const items = { type: 'object', properties: { slot: text, side: { ...text, default: 'front' } }, required: ['slot'] };
  const keyed = { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['slot', 'side'] };
  const properties = {
    notes: { type: 'object', additionalProperties: text, 'x-kubernetes-map-type': mapType },
    size: { type: 'object', properties: { height: text, width: text }, 'x-kubernetes-map-type': mapType },
    cables: { type: 'array', items: text, 'x-kubernetes-list-type': granular ? 'set' : 'atomic' },
    units: { type: 'array', items, ...(granular ? keyed : { 'x-kubernetes-list-type': 'atomic' }) },
  };
  const spec = { type: 'object', properties };
  return { name, served: true, storage, schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } };
}

/** Defines or redefines racks, and waits until the definition takes effect. */
async function define(plural: string, ...versions: JsonObject[]): Promise<void> {
  const kind = `Rack${plural}`;
  const name = `${plural}.lab.example.com`;
  const spec = { group: 'lab.example.com', scope: 'Namespaced', names: { plural, kind }, versions };
  const body = {
    apiVersion: 'apiextensions.platform.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name },
    spec,
  };
  const created = await ask('POST', definitions, body);
  if (created.code === 409) await ask('PATCH', `${definitions}/${name}`, { spec }, 'application/merge-patch+json');
  else expect(created).toMatchObject({ code: 201 });
  for (const { name: served } of versions) {
    while ((await ask('GET', `/apis/lab.example.com/${served}/${plural}`)).code !== 200) await sleep(20);
  }
  await sleep(200);
}

const pathOf = (plural: string, apiVersion = 'v1'): string =>
  `/apis/lab.example.com/${apiVersion}/namespaces/default/${plural}/one`;

function apply(plural: string, manager: string, spec: JsonObject, apiVersion = 'v1'): Promise<Answer> {
  const body = {
    apiVersion: `lab.example.com/${apiVersion}`,
    kind: `Rack${plural}`,
    metadata: { name: 'one' },
    spec,
  };
  return ask('PATCH', `${pathOf(plural, apiVersion)}?fieldManager=${manager}`, body, 'application/apply-patch+yaml');
}

const whole: JsonObject = { notes: { a: '1' }, size: { height: '1' }, cables: ['1'], units: [{ slot: '1' }] };

/** The whole with one part changed, for each part. */
const changes: readonly [string, JsonObject][] = [
  ['notes', { notes: { a: '2' } }],
  ['size', { size: { height: '2' } }],
  ['cables', { cables: ['1', '3'] }],
  ['units', { units: [{ slot: '3' }] }],
];

describe('lists and maps', () => {
  it('that become atomic belong as a whole to all owners of a part', async () => {
    await define('parts', version('v1', true, true));
    expect((await apply('parts', 'one', whole)).code).toBe(201);
    const other = { notes: { b: '1' }, size: { width: '1' }, cables: ['2'], units: [{ slot: '2' }] };
    expect((await apply('parts', 'two', other)).code).toBe(200);
    await define('parts', version('v1', true, false));
    for (const [field, spec] of changes) {
      const { code, body } = await apply('parts', 'one', spec);
      expect([code, body.message]).toEqual([409, `Apply failed with 1 conflict: conflict with "two": .spec.${field}`]);
    }
  });

  it('that are no longer atomic raise no conflicts about their parts', async () => {
    await define('wholes', version('v1', true, false));
    expect((await apply('wholes', 'one', whole)).code).toBe(201);
    await define('wholes', version('v1', true, true));
    for (const [field, spec] of changes) expect((await apply('wholes', `for-${field}`, spec)).code).toBe(200);
  });

  it('of maps are distinguished by the defaults of their keys', async () => {
    await define('keyed', version('v1', true, true));
    const { code, body } = await apply('keyed', 'one', { units: [{ slot: '1' }, { slot: '1', side: 'front' }] });
    expect(code).toBe(400);
    expect(body.message).toContain('.spec.units: duplicate entries for key [side="front",slot="1"]');
  });
});

describe('entries of a version', () => {
  it('are kept for each version, and removed with the version', async () => {
    await define('moved', version('v1', true, true), version('v2', false, true));
    await apply('moved', 'one', { notes: { a: '1' } });
    expect((await apply('moved', 'two', { notes: { b: '1' } }, 'v2')).body.metadata).toMatchObject({
      managedFields: [
        { manager: 'one', apiVersion: 'lab.example.com/v1' },
        { manager: 'two', apiVersion: 'lab.example.com/v2' },
      ],
    });
    expect((await apply('moved', 'three', { notes: { b: '2' } })).code).toBe(409);
    await define('moved', version('v1', true, true));
    // If the version of an owner is gone, an apply fails. Any other write clears the owners.
    const refused = await apply('moved', 'three', { notes: { b: '2' } });
    expect([refused.code, refused.body.message]).toEqual([
      500,
      'request to convert CR to an invalid group/version: lab.example.com/v2',
    ]);
    const labels = { metadata: { labels: { a: 'b' } } };
    const patched = await ask('PATCH', pathOf('moved'), labels, 'application/merge-patch+json');
    expect(patched.body.metadata).not.toHaveProperty('managedFields');
    const added = await apply('moved', 'three', { notes: { c: '1' } });
    expect(added).toMatchObject({ code: 200, body: { spec: { notes: { a: '1', b: '1', c: '1' } } } });
  });
});
