/** Compares the gate's answers with a running server, which gets each definition and later its successor. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../../generator/check/conversion/random.js';
import type { DiffedVersion } from '../../../../../generator/diff/difference.js';
import { type Answer, Definition, partsOf } from '../../../../../generator/diff/proof/definition.js';
import { withLabel } from '../../../../../generator/diff/proof/effects.js';
import type { JsonObject, JsonValue, Schema } from '../../../../../runtime/contract/index.js';
import { isTrue } from '../../../../../runtime/objects/definition-conditions.js';
import { isArray, isObject, objectAt, stringAt } from '../../../../../runtime/objects/guards.js';
import { askLater } from '../../../../support/ask.js';
import { ObjectMaker } from '../../../../support/gate/objects.js';
import { definitionOf, kindOf, object, versionOf } from '../../../../support/gate/version.js';
import { servingForTests } from '../../../../support/serving.js';

const text = (more: Partial<Schema> = {}): Schema => ({ type: 'string', ...more });
const list = (items: Schema, more: Partial<Schema> = {}): Schema => ({ type: 'array', items, ...more });

/** Pairs of schemas that differ in many keywords at once. The test compares answers, not their meaning. */
const pairs: Readonly<Record<string, readonly [Schema, Schema]>> = {
  bounds: [
    object({ a: text({ maxLength: 5 }), n: { type: 'integer', minimum: 1 }, l: list(text(), { maxItems: 4 }) }),
    object({ a: text({ maxLength: 3 }), n: { type: 'integer', minimum: 3 }, l: list(text(), { maxItems: 2 }) }),
  ],
  fields: [
    object({ a: text(), b: text({ nullable: true }), c: object({ d: text({ default: 'x' }) }) }),
    object({ a: text({ default: 'y' }), b: text(), e: text() }, { required: ['a', 'b'] }),
  ],
  lists: [
    object({ s: list(text()), m: list(object({ k: text(), v: text() }, { required: ['k'] })) }),
    object({
      s: list(text(), { 'x-kubernetes-list-type': 'set' }),
      m: list(object({ k: text(), v: text() }, { required: ['k'] }), {
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      }),
    }),
  ],
  rules: [
    object({ a: { type: 'integer' }, b: text() }),
    object(
      { a: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self >= oldSelf' }] }, b: text() },
      { 'x-kubernetes-validations': [{ rule: "!has(self.b) || self.b != 'forbidden'" }, { rule: 'has(self.a)' }] },
    ),
  ],
  open: [
    object({ a: { 'x-kubernetes-int-or-string': true } }, { 'x-kubernetes-preserve-unknown-fields': true }),
    object({ a: text() }, { oneOf: [{ required: ['a'] }, { required: ['unknown'] }] }),
  ],
};

const group = '/apis/example.com/v1';
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const server = servingForTests({ naming: 'kubernetes', controllers: 'none' });

const send = askLater(server);

async function define(plural: string, schema: Schema): Promise<void> {
  const path = `${definitions}/${plural}.example.com`;
  const { code, body } = await send('GET', path);
  const metadata = code === 200 ? { resourceVersion: stringAt(objectAt(body, 'metadata'), 'resourceVersion') } : {};
  const definition = definitionOf(plural, schema, { metadata });
  const sent = code === 200 ? await send('PUT', path, definition) : await send('POST', definitions, definition);
  expect(sent.code, JSON.stringify(sent.body)).toBeLessThan(300);
  while (!isTrue(objectAt((await send('GET', path)).body, 'status'), 'Established'))
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Returns the part of an object that its writer sends. */
const bodyOf = ({ metadata: _m, apiVersion: _a, kind: _k, ...body }: JsonObject): JsonObject => body;

const messagesOf = (body: JsonObject): readonly string[] => {
  const { causes } = objectAt(body, 'details') ?? {};
  return isArray(causes)
    ? causes.filter(isObject).map((cause) => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`)
    : [stringAt(body, 'message')];
};

/** Converts an answer of the server to the form of the gate's answers. */
const seen = ({ code, body }: { code: number; body: JsonObject }): JsonValue =>
  code < 300 ? { accepted: true, object: bodyOf(body) } : { accepted: false, causes: [...messagesOf(body)] };

const told = (answer: Answer): JsonValue =>
  answer.accepted ? { accepted: true, object: bodyOf(answer.object) } : { accepted: false, causes: [...answer.causes] };

describe.each(Object.entries(pairs))('the answers to %s', (plural, [before, after]) => {
  const old: DiffedVersion = versionOf(plural, before);
  const later: DiffedVersion = versionOf(plural, after);
  const objects = (): JsonObject[] => {
    const maker = new ObjectMaker(createRandom(5));
    const head = { apiVersion: 'example.com/v1', kind: kindOf(plural) };
    return Array.from({ length: 16 }, (_, at) => ({
      ...maker.object(old.version.schema, ['spec'], head),
      metadata: { name: `a${at}` },
    }));
  };

  it("equal the server's, for creates, reads and updates of objects stored before", async () => {
    const definition = { old: new Definition(partsOf(old)), new: new Definition(partsOf(later)) };
    const path = `${group}/${plural}`;
    const stored: JsonObject[] = [];
    await define(plural, before);
    for (const each of objects()) {
      const answer = await send('POST', path, each);
      expect(seen(answer), JSON.stringify(each)).toEqual(told(definition.old.create(each)));
      if (answer.code < 300) stored.push(answer.body);
    }
    expect(stored.length).toBeGreaterThan(5);
    await define(plural, after);
    for (const each of stored) {
      const name = stringAt(objectAt(each, 'metadata'), 'name');
      const read = await send('GET', `${path}/${name}`);
      const reading = definition.new.read(each);
      expect(bodyOf(read.body)).toEqual(bodyOf(reading.object));
      const change = withLabel(read.body);
      expect(seen(await send('PUT', `${path}/${name}`, change)), JSON.stringify(each)).toEqual(
        told(definition.new.update(reading.object, change)),
      );
    }
    const [first] = stored;
    const name = stringAt(objectAt(first, 'metadata'), 'name');
    for (const each of objects()) {
      const current = (await send('GET', `${path}/${name}`)).body;
      const change = { ...each, metadata: { ...objectAt(current, 'metadata') } };
      expect(seen(await send('PUT', `${path}/${name}`, change)), JSON.stringify(each)).toEqual(
        told(definition.new.update(current, change)),
      );
    }
  });
});
