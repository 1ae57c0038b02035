/** Repeats in sets and maps: an update may keep stored ones, but not add any to a clean object. */
import { expect, it } from 'vitest';
import type { ApiObject, FieldError, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { withoutOldRepeats } from '../../../../runtime/schema/object-meta.js';
import { functionsOf } from '../../../support/compiled.js';
import { widget } from '../../../support/widgets.js';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        set: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
        map: {
          type: 'array',
          items: { type: 'object', required: ['k'], properties: { k: text } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
        },
        name: { ...text, maxLength: 2 },
      },
    },
  },
};
const functions = functionsOf(schema);
const of = (set: string[], keys: string[] = [], rest: Record<string, JsonValue> = {}): ApiObject =>
  widget('a', { set, map: keys.map((k) => ({ k })), ...rest });

function refused(decoding: 'structural' | 'typed', object: ApiObject, old: ApiObject): string[] {
  const found: FieldError[] = [];
  functions.validate(object, found);
  return withoutOldRepeats(functions, decoding, found, old).map(({ field }) => field);
}

const clean = of(['p'], ['1']);
it.each<[string, ApiObject, ApiObject, string[]]>([
  ['none in either', clean, clean, []],
  ['new ones in a set', of(['p', 'p']), clean, ['spec.set[1]']],
  ['new ones in a map', of([], ['1', '1']), clean, ['spec.map[1]']],
  ['the old ones', of(['p', 'p']), of(['p', 'p']), []],
  ['more than before', of(['p', 'p', 'q', 'q']), of(['p', 'p']), []],
  ['those of another list', of(['p', 'p']), of([], ['1', '1']), []],
  ['none any more', clean, of(['p', 'p']), []],
  ['old ones beside another mistake', of(['p', 'p'], [], { name: 'long' }), of(['p', 'p']), ['spec.name']],
  ['new ones where the old object is wrong otherwise', of(['p', 'p']), of([], [], { name: 'long' }), ['spec.set[1]']],
])('repeats of an update: %s', (_what, object, old, expected) => {
  expect(refused('structural', object, old)).toEqual(expected);
});

it('built-in kinds accept none', () => {
  expect(refused('typed', of(['p', 'p']), of(['p', 'p']))).toEqual(['spec.set[1]']);
});
