/**
 * Values without a field in an older version survive updates by its clients, and owners keep their fields across
 * versions.
 */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { isArray, objectAt } from '../../runtime/objects/guards.js';
import { type Answer, askLater } from '../support/ask.js';
import { nativeResource } from '../support/kinds.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { servingForTests } from '../support/serving.js';
import { specOwners } from '../support/spec-owners.js';

/** Returns an expression that fails for one value. No check can find this value by trying. */
const rare = (value: number): string => `self == ${value} ? self / (self - ${value}) : self`;

const definition = nativeResource({
  kind: 'Oven',
  group: 'bakery.example.com',
  versions: [
    {
      name: 'v2',
      storage: true,
      subresources: { status: {} },
      schema: schemaOf({
        heat: { type: 'object', properties: { degrees: { type: 'integer' }, fan: { type: 'boolean' } } },
        seconds: { type: 'integer', minimum: 0, maximum: 6000, multipleOf: 60 },
        trays: { type: 'array', items: { type: 'string' } },
        tone: { type: 'string', enum: ['low', 'high'] },
        ratio: { type: 'integer' },
        note: { type: 'string' },
      }),
    },
    {
      name: 'v1',
      subresources: { status: {} },
      schema: schemaOf({
        degrees: { type: 'integer' },
        minutes: { type: 'integer', minimum: 0, maximum: 100 },
        tray: { type: 'string' },
        tone: { type: 'string', enum: ['low', 'high'] },
        share: { type: 'integer' },
        note: { type: 'string' },
      }),
      conversion: {
        steps: [
          { move: { field: 'spec.degrees', stored: 'spec.heat.degrees' } },
          { annotation: { key: 'bakery.example.com/heat', stored: 'spec.heat' } },
          {
            expression: {
              field: 'spec.minutes',
              stored: 'spec.seconds',
              toStored: 'self * 60',
              fromStored: 'self / 60',
            },
          },
          { wrap: { field: 'spec.tray', stored: 'spec.trays', annotation: 'bakery.example.com/trays' } },
          { default: { field: 'spec.tone', value: 'low', annotation: 'bakery.example.com/tone' } },
          { expression: { field: 'spec.share', stored: 'spec.ratio', toStored: rare(4242), fromStored: rare(4343) } },
        ],
      },
    },
  ],
});

function schemaOf(properties: JsonObject): JsonObject {
  const status = { type: 'object', properties: { ready: { type: 'boolean' } } };
  return { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties }, status } } };
}

const schemas = scratchFolder({ 'ovens.json': JSON.stringify(definition) });
const running = servingForTests({ controllers: 'none', schemas });

type Version = 'v1' | 'v2';

const at = (version: Version, name = ''): string =>
  `/apis/bakery.example.com/${version}/namespaces/default/ovens${name === '' ? '' : `/${name}`}`;

const ask = askLater(running);

const oven = (version: Version, name: string, spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: `bakery.example.com/${version}`,
  kind: 'Oven',
  metadata: { name, ...metadata },
  spec,
});

const full = { heat: { degrees: 220, fan: true }, seconds: 120, trays: ['a', 'b', 'c'], tone: 'low', ratio: 6 };

/** Creates a full oven in v2. */
async function bake(name: string): Promise<void> {
  expect((await ask('POST', at('v2'), oven('v2', name, full))).code).toBe(201);
}

const specIn = async (version: Version, name: string): Promise<unknown> =>
  (await ask('GET', at(version, name))).body.spec;

const apply = (version: Version, manager: string, name: string, spec: JsonObject, force = false): Promise<Answer> =>
  ask(
    'PATCH',
    `${at(version, name)}?fieldManager=${manager}&force=${force}`,
    oven(version, name, spec),
    'application/apply-patch+yaml',
  );

it('an object is equal after conversion to the other version and back', async () => {
  await bake('same');
  const old = await ask('GET', at('v1', 'same'));
  expect(old.body).toMatchObject({
    metadata: {
      annotations: {
        'bakery.example.com/heat': '{"fan":true}',
        'bakery.example.com/trays': '["b","c"]',
        'bakery.example.com/tone': 'written',
      },
    },
    spec: { degrees: 220, minutes: 2, tray: 'a', tone: 'low', share: 6 },
  });
  const listed = await ask('GET', at('v1'));
  expect(isArray(listed.body.items) && listed.body.items[0]).toMatchObject({ spec: old.body.spec ?? {} });
  expect(await specIn('v2', 'same')).toEqual(full);
});

describe('a client of the older version keeps values that it has no field for', () => {
  const changed = { ...full, heat: { degrees: 180, fan: true }, trays: ['new', 'b', 'c'], seconds: 180 };

  it('when it reads, changes and replaces', async () => {
    await bake('replaced');
    const { body } = await ask('GET', at('v1', 'replaced'));
    const spec = { ...Object(body.spec), degrees: 180, tray: 'new', minutes: 3 };
    expect((await ask('PUT', at('v1', 'replaced'), { ...body, spec })).code).toBe(200);
    expect(await specIn('v2', 'replaced')).toEqual(changed);
  });

  it('when it replaces without annotations', async () => {
    await bake('bare');
    const spec = { degrees: 180, tray: 'new', minutes: 3, tone: 'low', share: 6 };
    const answer = await ask('PUT', at('v1', 'bare'), oven('v1', 'bare', spec, { annotations: { own: 'x' } }));
    expect(answer.code).toBe(200);
    expect(objectAt(answer.body, 'metadata')?.annotations).toMatchObject({
      own: 'x',
      'bakery.example.com/heat': '{"fan":true}',
    });
    expect(await specIn('v2', 'bare')).toEqual(changed);
    expect((await ask('PUT', at('v1', 'bare'), oven('v1', 'bare', spec))).code).toBe(200);
    expect(await specIn('v2', 'bare')).toEqual(changed);
  });

  it.each<[string, JsonValue, string]>([
    ['merge patch', { spec: { degrees: 180, tray: 'new', minutes: 3 } }, 'application/merge-patch+json'],
    [
      'JSON patch',
      [
        { op: 'replace', path: '/spec/degrees', value: 180 },
        { op: 'replace', path: '/spec/tray', value: 'new' },
        { op: 'replace', path: '/spec/minutes', value: 3 },
      ],
      'application/json-patch+json',
    ],
    [
      'strategic merge patch',
      { spec: { degrees: 180, tray: 'new', minutes: 3 } },
      'application/strategic-merge-patch+json',
    ],
  ])('when it sends a %s', async (kind, patch, type) => {
    const name = kind.toLowerCase().replaceAll(' ', '-');
    await bake(name);
    expect((await ask('PATCH', at('v1', name), patch, type)).code).toBe(200);
    expect(await specIn('v2', name)).toEqual(changed);
  });

  it('when it applies', async () => {
    await bake('applied');
    expect((await apply('v1', 'old', 'applied', { degrees: 180, tray: 'new', minutes: 3 }, true)).code).toBe(200);
    expect(await specIn('v2', 'applied')).toEqual(changed);
  });

  it('when it writes the status or labels', async () => {
    await bake('status');
    const merge = 'application/merge-patch+json';
    expect((await ask('PATCH', `${at('v1', 'status')}/status`, { status: { ready: true } }, merge)).code).toBe(200);
    expect((await ask('PATCH', at('v1', 'status'), { metadata: { labels: { a: 'b' } } }, merge)).code).toBe(200);
    expect(await specIn('v2', 'status')).toEqual(full);
  });

  it('unless it removes the annotation itself', async () => {
    await bake('gone');
    const annotations = { 'bakery.example.com/heat': null, 'bakery.example.com/trays': null };
    await ask('PATCH', at('v1', 'gone'), { metadata: { annotations } }, 'application/merge-patch+json');
    expect(await specIn('v2', 'gone')).toEqual({ ...full, heat: { degrees: 220 }, trays: ['a'] });
  });
});

describe('owners of fields', () => {
  it('are found in the other version under the other name', async () => {
    expect((await apply('v1', 'anna', 'owned', { degrees: 200, minutes: 1 })).code).toBe(201);
    const refused = await apply('v2', 'bert', 'owned', { heat: { degrees: 210 } });
    expect([refused.code, refused.body.message]).toEqual([
      409,
      'Apply failed with 1 conflict: conflict with "anna": .spec.degrees',
    ]);
    const computed = await apply('v2', 'bert', 'owned', { seconds: 120 });
    expect([computed.code, computed.body.message]).toEqual([409, expect.stringContaining('.spec.minutes')]);
    expect((await apply('v2', 'bert', 'owned', { heat: { degrees: 200, fan: true } })).code).toBe(200);
    const taken = await apply('v2', 'bert', 'owned', { heat: { degrees: 210, fan: true } }, true);
    expect(specOwners(taken)).toEqual(['anna v1: {"f:minutes":{}}', 'bert v2: {"f:heat":{"f:degrees":{},"f:fan":{}}}']);
  });

  it('who continue in another version give up the fields that they no longer apply', async () => {
    expect((await apply('v1', 'anna', 'moving', { degrees: 200, minutes: 1, note: 'x' })).code).toBe(201);
    const moved = await apply('v2', 'anna', 'moving', { heat: { degrees: 200 } });
    expect(moved).toMatchObject({ code: 200, body: { spec: { heat: { degrees: 200 } } } });
    expect(moved.body.spec).not.toHaveProperty('seconds');
    expect(moved.body.spec).not.toHaveProperty('note');
    expect(specOwners(moved)).toEqual(['anna v2: {"f:heat":{"f:degrees":{}}}']);
  });

  it('keep fields that others do not change, in any version', async () => {
    expect((await apply('v2', 'bert', 'touched', { heat: { degrees: 200, fan: true }, seconds: 60 })).code).toBe(201);
    const merge = 'application/merge-patch+json';
    const path = `${at('v1', 'touched')}?fieldManager=old`;
    const noted = await ask('PATCH', path, { spec: { note: 'warm' } }, merge);
    expect(specOwners(noted)).toContain('bert v2: {"f:heat":{"f:degrees":{},"f:fan":{}},"f:seconds":{}}');
    const heated = await ask('PATCH', path, { spec: { degrees: 250 } }, merge);
    expect(specOwners(heated)).toContain('bert v2: {"f:heat":{"f:fan":{}},"f:seconds":{}}');
  });
});

describe('an expression that fails', () => {
  it('refuses a write of the older version, with the place', async () => {
    const refused = await ask('POST', at('v1'), oven('v1', 'zero', { share: 4242 }));
    expect(refused.code).toBe(400);
    expect(refused.body.message).toContain(
      'spec.ratio: `self == 4242 ? self / (self - 4242) : self` fails: division by zero',
    );
    await bake('patched');
    const patched = await ask('PATCH', at('v1', 'patched'), { spec: { share: 4242 } }, 'application/merge-patch+json');
    expect([patched.code, patched.body.message]).toEqual([
      expect.any(Number),
      expect.stringContaining('division by zero'),
    ]);
    expect(patched.code).toBeLessThan(500);
    const applied = await apply('v1', 'anna', 'patched', { share: 4242 }, true);
    expect(applied.code).toBeLessThan(500);
    expect(applied.body.message).toContain('division by zero');
  });

  it('refuses a write that the older version could not show', async () => {
    const refused = await ask('POST', at('v2'), oven('v2', 'unseen', { ratio: 4343 }));
    expect(refused).toMatchObject({
      code: 422,
      body: { reason: 'Invalid', details: { causes: [{ field: 'spec.share' }] } },
    });
    expect(refused.body.message).toContain(
      `cannot be converted to bakery.example.com/v1: \`${rare(4343)}\` fails: division by zero`,
    );
    await bake('unseen');
    const patched = await ask('PATCH', at('v2', 'unseen'), { spec: { ratio: 4343 } }, 'application/merge-patch+json');
    expect(patched.code).toBe(422);
    expect(await specIn('v2', 'unseen')).toEqual(full);
  });
});
