/** Additions to definitions since release 1.27: rules on new values, and selectable fields. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../runtime/contract/index.js';
import { isTrue } from '../../runtime/objects/definition-conditions.js';
import { isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { askLater } from '../support/ask.js';
import { customResource } from '../support/kinds.js';
import { type ListeningServer, startServing } from '../support/serving.js';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const name = 'lamps.home.example.com';
const lamps = '/apis/home.example.com/v1/namespaces/default/lamps';
const rule = { rule: 'self >= oldSelf.orValue(3)', message: 'never goes down', optionalOldSelf: true };

const versionOf = (version: string, more: JsonObject = {}): JsonObject => ({
  name: version,
  served: true,
  storage: version === 'v1',
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            watts: { type: 'integer', 'x-kubernetes-validations': [rule] },
            colour: { type: 'string' },
            dim: { type: 'boolean' },
            shade: { type: 'string', default: 'paper' },
          },
        },
      },
    },
  },
  ...more,
});

const selecting = (...paths: readonly string[]): JsonObject => ({
  selectableFields: paths.map((jsonPath) => ({ jsonPath })),
});

const definition = (...versions: readonly JsonObject[]): JsonObject =>
  customResource({ kind: 'Lamp', group: 'home.example.com', versions });

const lamp = (called: string, spec: JsonObject): JsonObject => ({
  apiVersion: 'home.example.com/v1',
  kind: 'Lamp',
  metadata: { name: called },
  spec,
});

let running: ListeningServer;
afterEach(() => running.stop());

const ask = askLater(() => running);

async function start(body: JsonObject, emulatedVersion?: string): Promise<void> {
  const emulated = emulatedVersion === undefined ? {} : { emulatedVersion };
  running = await startServing({ naming: 'kubernetes', controllers: 'none', ...emulated });
  expect(await ask('POST', definitions, body)).toMatchObject({ code: 201 });
  for (;;) {
    const { body: found } = await ask('GET', `${definitions}/${name}`);
    if (isTrue(objectAt(found, 'status'), 'Established')) return;
    await sleep(20);
  }
}

async function named(fieldSelector: string, path = lamps): Promise<readonly string[] | JsonObject> {
  const { body } = await ask('GET', `${path}?fieldSelector=${encodeURIComponent(fieldSelector)}`);
  if (!Array.isArray(body.items)) return body;
  return body.items.map((item) => stringAt(isObject(item) ? objectAt(item, 'metadata') : undefined, 'name'));
}

describe('a definition of later releases', () => {
  it('applies rules to new values', async () => {
    await start(definition(versionOf('v1')));
    expect(await ask('POST', lamps, lamp('dark', { watts: 2 }))).toMatchObject({
      code: 422,
      body: { details: { causes: [{ field: 'spec.watts', message: 'Invalid value: "integer": never goes down' }] } },
    });
    expect(await ask('POST', lamps, lamp('desk', { watts: 5 }))).toMatchObject({ code: 201 });
    expect(await ask('PATCH', `${lamps}/desk`, { spec: { watts: 4 } })).toMatchObject({ code: 422 });
    expect(await ask('PATCH', `${lamps}/desk`, { spec: { watts: 6 } })).toMatchObject({ code: 200 });
  });

  it('selects objects by its fields, including older objects', async () => {
    await start(definition(versionOf('v1')));
    await ask('POST', lamps, lamp('desk', { colour: 'red', dim: true }));
    expect(await named('spec.colour=red')).toMatchObject({
      code: 400,
      message: 'field label not supported: spec.colour',
    });
    const versions = [
      versionOf('v1', selecting('.spec.colour', '.spec.shade')),
      versionOf('v2', selecting('.spec.dim', '.spec.watts')),
    ];
    expect(await ask('PATCH', `${definitions}/${name}`, { spec: { versions } })).toMatchObject({ code: 200 });
    await ask('POST', lamps, lamp('hall', { colour: 'blue', watts: 7 }));
    expect(await named('spec.colour=red')).toEqual(['desk']);
    expect(await named('spec.colour!=red')).toEqual(['hall']);
    expect(await named('spec.shade=paper,metadata.name!=hall')).toEqual(['desk']);
    expect(await named('spec.dim=true')).toMatchObject({ code: 400 });
    const newer = lamps.replace('/v1/', '/v2/');
    expect(await named('spec.dim=true', newer)).toEqual(['desk']);
    expect(await named('spec.watts=7', newer)).toEqual(['hall']);
    expect(await named('spec.watts=', newer)).toEqual(['desk']);
    await ask('DELETE', `${lamps}?fieldSelector=spec.colour%3Dblue`);
    expect(await named('')).toEqual(['desk']);
  });

  it('sends events to watches when its fields change', async () => {
    await start(definition(versionOf('v1', selecting('.spec.colour'))));
    await ask('POST', lamps, lamp('desk', { colour: 'red' }));
    const query = `watch=1&fieldSelector=spec.colour%3Dred&timeoutSeconds=2&resourceVersion=0`;
    const watch = fetch(`${running.url}${lamps}?${query}`).then((answer) => answer.text());
    await sleep(200);
    await ask('PATCH', `${lamps}/desk`, { spec: { colour: 'blue' } });
    await ask('PATCH', `${lamps}/desk`, { spec: { colour: 'green' } });
    await ask('PATCH', `${lamps}/desk`, { spec: { colour: 'red' } });
    const events = (await watch).trim().split('\n');
    expect(events.map((line) => JSON.parse(line).type)).toEqual(['ADDED', 'DELETED', 'ADDED']);
  });

  it('appears in documents', async () => {
    await start(definition(versionOf('v1', selecting('.spec.colour'))));
    const { body } = await ask('GET', '/openapi/v3/apis/home.example.com/v1');
    expect(body).toHaveProperty(
      ['components', 'schemas', 'com.example.home.v1.Lamp', 'x-kubernetes-selectable-fields'],
      [{ fieldPath: 'spec.colour' }],
    );
    const { body: own } = await ask('GET', '/openapi/v3/apis/apiextensions.k8s.io/v1');
    expect(JSON.stringify(own)).toContain('"optionalOldSelf"');
    expect(JSON.stringify(own)).toContain('"selectableFields"');
  });

  it('has unknown fields if the server emulates release 1.27', async () => {
    const rule = { rule: 'self == oldSelf', optionalOldSelf: true, reason: 'FieldValueForbidden', fieldPath: '.none' };
    const schema = { type: 'object', 'x-kubernetes-validations': [rule] };
    const version = versionOf('v1', { schema: { openAPIV3Schema: schema }, ...selecting('.spec.colour') });
    await start(definition(version), '1.27');
    const { body } = await ask('GET', `${definitions}/${name}`);
    expect(JSON.stringify(body)).not.toMatch(/selectableFields|optionalOldSelf|fieldPath/);
    expect(await named('spec.colour=red')).toMatchObject({ message: 'field label not supported: spec.colour' });
    const { body: own } = await ask('GET', '/openapi/v3/apis/apiextensions.k8s.io/v1');
    expect(JSON.stringify(own)).not.toMatch(
      /"(?:selectableFields|optionalOldSelf|fieldPath|reason":\{"description":"What)/,
    );
    expect(JSON.stringify(own)).toContain('"messageExpression"');
    expect(JSON.stringify(own)).not.toContain('SelectableField');
  });
});
