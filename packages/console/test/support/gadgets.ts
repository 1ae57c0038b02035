/** A definition with every kind of field, and hostile texts in every place for texts. */
import type { DynamicObject } from '../../../../client/index.js';
import { hostileTexts } from './hostile-texts.js';

/** A few of them, because each is in many fields. */
export const hostile = hostileTexts.slice(0, 6);

const deep = (depth: number): object =>
  depth === 0 ? { type: 'string' } : { type: 'object', properties: { [`level${depth}`]: deep(depth - 1) } };

const many = (): object => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`field${i}`, { type: 'string' }])),
});

const text = { type: 'string' };

const spec = {
  type: 'object',
  description: hostile.join(' '),
  required: ['size'],
  'x-kubernetes-validations': [{ rule: 'self.size <= self.most', message: 'size is at most most', fieldPath: '.size' }],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 100, description: hostile[0] },
    most: { type: 'integer', default: 50 },
    wide: { type: 'integer', format: 'int64' },
    colour: { type: 'string', enum: ['green', ...hostile] },
    on: { type: 'boolean', nullable: true },
    title: { type: 'string', maxLength: 400, default: hostile[1] },
    port: { 'x-kubernetes-int-or-string': true },
    mode: { type: 'string', enum: ['fast', 'slow'] },
    options: {
      type: 'object',
      additionalProperties: { ...text, 'x-kubernetes-validations': [{ rule: "self != 'bad'", message: 'not bad' }] },
    },
    shelves: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          boxes: {
            type: 'object',
            additionalProperties: {
              type: 'object',
              'x-kubernetes-validations': [{ rule: 'self.low <= self.high', message: 'low is at most high' }],
              properties: { low: { type: 'integer', default: 0 }, high: { type: 'integer', default: 9 } },
            },
          },
        },
      },
    },
    [hostile[0] ?? '']: text,
    ports: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        'x-kubernetes-validations': [
          { rule: '!has(self.number) || self.number != 666', message: 'not this number', fieldPath: '.number' },
        ],
        properties: { name: text, number: { type: 'integer', maximum: 65535 }, protocol: { ...text, default: 'TCP' } },
      },
    },
    source: {
      type: 'object',
      oneOf: [{ required: ['git'] }, { required: ['http'] }],
      properties: {
        git: { type: 'object', properties: { url: text } },
        http: { type: 'object', properties: { url: text } },
      },
    },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    deep: deep(40),
    many: many(),
  },
};

/** Returns the definition for the group that the server gives to definitions. */
export const gadgets = (apiVersion: string): DynamicObject => ({
  apiVersion,
  kind: 'CustomResourceDefinition',
  metadata: { name: 'gadgets.shop.example.com' },
  spec: {
    group: 'shop.example.com',
    scope: 'Namespaced',
    names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec } } },
      },
    ],
  },
});

/** Returns an object of the definition, with hostile texts as values and keys. */
export const lamp = (name: string): DynamicObject => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Gadget',
  metadata: { name, namespace: 'default', annotations: { note: hostile.join('\n') } },
  spec: {
    size: 7,
    wide: 9223372036854775807n,
    title: hostile[0],
    options: Object.fromEntries(hostile.map((key) => [key, key])),
    ports: [
      { name: 'http', number: 80 },
      { name: hostile[1], number: 8080 },
    ],
    free: { anything: [1, { two: hostile[0] }] },
  },
});
