/** A schema with all ways to merge, and random objects of it. */
import fc from 'fast-check';
import type { JsonObject, Schema } from '../../../../../runtime/contract/index.js';

const text: Schema = { type: 'string' };
const labels: Schema = { type: 'object', additionalProperties: text };
const pair: Schema = { type: 'object', properties: { left: text, right: text } };

const ports: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['protocol', 'port'],
  items: {
    type: 'object',
    required: ['port'],
    properties: { port: { type: 'integer' }, protocol: { type: 'string', default: 'TCP' }, name: text, note: text },
  },
};

export const shape: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        pad: { type: 'integer' },
        size: text,
        count: { type: 'integer' },
        set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        plain: { type: 'array', items: text },
        ports,
        labels,
        atomicLabels: { ...labels, 'x-kubernetes-map-type': 'atomic' },
        pair,
        atomicPair: { ...pair, 'x-kubernetes-map-type': 'atomic' },
        anything: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};

const word = fc.constantFrom('a', 'b', 'c');
const textMap = fc.dictionary(fc.constantFrom('x', 'y', 'z', 'constructor'), word, { maxKeys: 3 });
const item = fc.record(
  { port: fc.constantFrom(1, 2, 3), protocol: fc.constantFrom('TCP', 'UDP'), name: word, note: word },
  { requiredKeys: ['port'] },
);

const spec = fc.record(
  {
    size: word,
    count: fc.constantFrom(1, 2),
    set: fc.uniqueArray(word, { maxLength: 3 }),
    plain: fc.array(word, { maxLength: 2 }),
    ports: fc.uniqueArray(item, { maxLength: 3, selector: ({ port, protocol }) => `${port}${protocol ?? 'TCP'}` }),
    labels: textMap,
    atomicLabels: textMap,
    pair: fc.record({ left: word, right: word }, { requiredKeys: [] }),
    anything: fc.dictionary(word, fc.oneof(word, textMap, fc.array(word)), { maxKeys: 2 }),
  },
  { requiredKeys: [] },
);

/** Valid objects of the shape, with few values, so that two of them overlap. */
export const shapes: fc.Arbitrary<JsonObject> = fc.record({ spec }).map((object) => JSON.parse(JSON.stringify(object)));
