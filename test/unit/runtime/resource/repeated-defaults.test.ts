/** The bytes that defaults in lists and maps add to an object are counted before they are filled in. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { overfills, repeatedDefaults } from '../../../../runtime/resource/repeated-defaults.js';

const text = 'x'.repeat(100);
const filled: Schema = { type: 'object', properties: { a: { type: 'string', default: text } } };
const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const list = (items: Schema): Schema => ({ type: 'array', items });
const map = (additionalProperties: Schema): Schema => ({ type: 'object', additionalProperties });

describe('schemas that are not checked', () => {
  it.each<[string, Schema]>([
    ['no defaults', object({ a: list({ type: 'object' }) })],
    ['a default beside lists', object({ a: { type: 'string', default: text }, b: list({ type: 'string' }) })],
    ['a short default in a list', object({ a: list(object({ b: { type: 'string', default: 'TCP' } })) })],
    ['a list as a default', object({ a: { type: 'array', default: [text], items: { type: 'string' } } })],
  ])('%s', (_what, schema) => {
    expect(repeatedDefaults(schema)).toBeUndefined();
  });
});

describe('bytes that defaults add', () => {
  /** JSON of 100 bytes, with quotes and the name of the field. */
  const each = text.length + 2 + 5;
  const times = (count: number, value: JsonValue): JsonValue[] => Array.from({ length: count }, () => value);
  const added = (schema: Schema, value: JsonObject): number => {
    const place = repeatedDefaults(schema);
    if (!place) throw new Error('the schema is not looked at');
    let [low, high] = [0, 1_000_000];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (overfills(place, value, middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  it.each<[string, Schema, JsonObject, number]>([
    ['items of a list', object({ l: list(filled) }), { l: times(10, {}) }, 10 * each],
    ['items that say it', object({ l: list(filled) }), { l: times(10, { a: '' }) }, 0],
    ['items that say null', object({ l: list(filled) }), { l: times(10, { a: null }) }, 10 * each],
    ['no list', object({ l: list(filled) }), { l: 'text' }, 0],
    ['values of a map', object({ m: map(filled) }), { m: { x: {}, y: {} } }, 2 * each],
    ['lists in lists', object({ l: list(list(filled)) }), { l: times(3, times(4, {})) }, 12 * each],
    ['nulls in a list', object({ l: list({ type: 'string', default: text }) }), { l: times(5, null) }, 5 * (each - 4)],
    [
      'nulls that may be',
      object({ l: list({ type: 'string', default: text, nullable: true }) }),
      { l: times(5, null) },
      0,
    ],
    [
      'defaults of what is in a default',
      object({ l: list(object({ b: { ...list(filled), default: [{}, {}] } })) }),
      { l: times(3, {}) },
      3 * (each * 2 + '"b":[{},{}],'.length),
    ],
  ])('of %s', (_what, schema, value, bytes) => {
    expect(Math.abs(added(schema, value) - bytes)).toBeLessThanOrEqual(10);
  });

  it('count no further than to the limit', () => {
    const place = repeatedDefaults(object({ l: list(filled) }));
    let looked = 0;
    const item = new Proxy<JsonObject>(
      {},
      {
        getOwnPropertyDescriptor() {
          looked++;
          return undefined;
        },
      },
    );
    expect(place && overfills(place, { l: times(10_000, item) }, 10 * each)).toBe(true);
    expect(looked).toBeLessThan(50);
  });
});
