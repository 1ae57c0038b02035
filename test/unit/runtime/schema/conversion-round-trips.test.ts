/** Each step restores any object of either version that it can convert, exactly. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConversionStep, JsonObject } from '../../../../runtime/contract/index.js';
import { defineConversion } from '../../../../runtime/schema/index.js';

const same = (name: string): string => name;
const text = fc.string({ maxLength: 6 });
const word = fc.stringMatching(/^[a-z]{1,4}$/);
const number = fc.integer({ min: -3, max: 3 });

/** Makes objects with some of these fields in their spec, other fields, and other annotations. */
function objects(fields: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<JsonObject> {
  const spec = fc.record({ ...fields, other: number }, { requiredKeys: ['other'] });
  const annotations = fc.constant({ 'example.com/other': 'x' });
  const made = fc.record({ metadata: fc.record({ name: fc.constant('a'), annotations }), spec }, { requiredKeys: [] });
  // `undefined` is not JSON, and JSON has no prototypes except its own.
  return made.map(
    (object): JsonObject => JSON.parse(JSON.stringify({ metadata: { annotations: { o: 'x' } }, ...object })),
  );
}

interface Case {
  readonly step: ConversionStep;
  readonly own: fc.Arbitrary<JsonObject>;
  readonly stored: fc.Arbitrary<JsonObject>;
}

const lists = fc.array(text, { maxLength: 3 });
const annotation = 'example.com/kept';

const cases: Readonly<Record<string, Case>> = {
  move: {
    step: { move: { field: 'spec.a', stored: 'spec.b.c' } },
    own: objects({ a: number }),
    stored: objects({ b: fc.record({ c: number }) }),
  },
  split: {
    step: { split: { field: 'spec.a', stored: ['spec.b', 'spec.c'], separator: '/' } },
    own: objects({ a: fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,3}){0,2}$/) }),
    stored: objects({ b: word, c: fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,3})?$/) }),
  },
  join: {
    step: { join: { fields: ['spec.b', 'spec.c'], stored: 'spec.a', separator: '/' } },
    own: objects({ b: word, c: fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,3})?$/) }),
    stored: objects({ a: fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,3}){0,2}$/) }),
  },
  'wrap of a stored list': {
    step: { wrap: { field: 'spec.a', stored: 'spec.b', annotation } },
    own: objects({ a: text }),
    stored: objects({ b: lists }),
  },
  'wrap of a list': {
    step: { wrap: { field: 'spec.b', stored: 'spec.a', list: 'field', annotation } },
    own: objects({ b: lists }),
    stored: objects({ a: text }),
  },
  'default of this version': {
    step: { default: { field: 'spec.a', value: 1, annotation } },
    own: objects({ a: number }),
    stored: objects({ a: number }),
  },
  'default of the stored version': {
    step: { default: { stored: 'spec.a', value: 1, annotation } },
    own: objects({ a: number }),
    stored: objects({ a: number }),
  },
  'constant of the stored version': {
    step: { constant: { stored: 'spec.a', value: 7 } },
    own: objects({}),
    stored: objects({}),
  },
  'annotation of a stored field': {
    step: { annotation: { key: annotation, stored: 'spec.a' } },
    own: objects({}),
    stored: objects({ a: fc.record({ x: text, y: fc.array(number, { maxLength: 2 }) }) }),
  },
  'annotation of a field': {
    step: { annotation: { key: annotation, field: 'spec.a' } },
    own: objects({ a: fc.array(fc.oneof(number, text), { maxLength: 3 }) }),
    stored: objects({}),
  },
  values: {
    step: {
      values: {
        field: 'spec.a',
        stored: 'spec.a',
        pairs: [
          { field: 'on', stored: true },
          { field: 'off', stored: false },
        ],
      },
    },
    own: objects({ a: fc.constantFrom('on', 'off', 'x') }),
    stored: objects({ a: fc.constantFrom(true, false, 'x') }),
  },
  item: {
    step: { item: { field: 'spec.a', stored: 'spec.b', where: { type: 't' }, value: 'n' } },
    own: objects({ a: number }),
    stored: objects({ b: fc.array(fc.record({ type: fc.constant('u'), n: number }), { minLength: 1, maxLength: 2 }) }),
  },
};

/** Returns whether the version has the field of this default. An object of it without the field gets it. */
const gains = (step: ConversionStep, side: 'own' | 'stored'): boolean =>
  ('default' in step && (step.default.stored === undefined) === (side === 'own')) ||
  ('constant' in step && (step.constant.stored === undefined) === (side === 'own'));

describe.each(Object.entries(cases))('%s', (_name, { step, own, stored }) => {
  const conversion = defineConversion([step]);

  it.each(['own', 'stored'] as const)('loses nothing of %s objects', (side) => {
    const [there, back] =
      side === 'own' ? (['toStored', 'fromStored'] as const) : (['fromStored', 'toStored'] as const);
    fc.assert(
      fc.property(side === 'own' ? own : stored, (object) => {
        const copy = structuredClone(object);
        conversion[there](copy, same);
        conversion[back](copy, same);
        if (gains(step, side)) expect(copy).toMatchObject(object);
        else expect(copy).toEqual(object);
      }),
      { numRuns: 60 },
    );
  });
});
