/** Keywords that `check` refuses are left out of an import, with a remark for each. */
import { expect, it } from 'vitest';
import { withoutRefused } from '../../../../generator/import/refused.js';
import { printRemarks, type Remark } from '../../../../generator/import/remarks.js';
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { get, list } from '../../../../runtime/schema/read.js';
import { nativeResource } from '../../../support/kinds.js';

const text = { type: 'string' };
const spec = (fields: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties: fields, ...more } },
});

/** Makes an import of a resource with one version per schema. Returns its schemas and the number of remarks. */
function kept(...schemas: readonly JsonObject[]): {
  readonly schemas: readonly unknown[];
  readonly said: readonly string[];
} {
  const versions = schemas.map((openAPIV3Schema, index) => ({
    name: `v${schemas.length - index}`,
    served: true,
    storage: index === 0,
    schema: { openAPIV3Schema },
  }));
  const value = nativeResource({ kind: 'Thing', scope: 'Cluster', versions });
  const remarks: Remark[] = [];
  const [file] = withoutRefused([{ path: 'things.yaml', value }], (remark) => remarks.push(remark));
  const after = list(get(get(file?.value, 'spec'), 'versions')).map((each) =>
    get(get(each, 'schema'), 'openAPIV3Schema'),
  );
  return { schemas: after, said: printRemarks(remarks) };
}

it.each<[string, JsonObject, JsonObject, number]>([
  ['nothing', spec({ a: { ...text, default: 'b' } }), spec({ a: { ...text, default: 'b' } }), 0],
  ['a default of another type', spec({ a: { ...text, default: 1 } }), spec({ a: text }), 1],
  ['a null that cannot be', spec({ a: { ...text, default: null } }), spec({ a: { ...text, default: null } }), 0],
  ['values of another type', spec({ a: { ...text, enum: ['b', 1, 2] } }), spec({ a: { ...text, enum: ['b'] } }), 2],
  ['a pattern that RE2 does not know', spec({ a: { ...text, pattern: '(?=b)' } }), spec({ a: text }), 1],
  [
    'a rule over a field that is hidden',
    spec({ a: text }, { 'x-kubernetes-validations': [{ rule: 'has(self.a)' }, { rule: 'has(self.b)' }] }),
    spec({ a: text }, { 'x-kubernetes-validations': [{ rule: 'has(self.a)' }] }),
    1,
  ],
  [
    'keys of a list whose items are hidden, and then its type',
    spec({
      a: {
        type: 'array',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['b'],
        items: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    }),
    spec({ a: { type: 'array', items: { 'x-kubernetes-preserve-unknown-fields': true } } }),
    2,
  ],
  [
    'keywords of fields that are named like keywords',
    spec({ pattern: { type: 'integer', pattern: 'a' }, properties: { ...text, default: 1 } }),
    spec({ pattern: { type: 'integer' }, properties: text }),
    2,
  ],
  [
    'a choice as a whole where one of it cannot be, as one that asks for less is another one',
    spec({ a: { ...text, oneOf: [{ pattern: '(?=b)' }, { pattern: 'c' }] } }),
    spec({ a: text }),
    1,
  ],
  [
    'rules about fields that are hidden',
    spec(
      { a: text },
      {
        anyOf: [{ properties: { z: { minLength: 1 } } }, { required: ['a'] }],
        not: { properties: { z: { minLength: 1 } } },
        allOf: [{ properties: { z: { minLength: 1 } } }, { properties: { a: { minLength: 1 } } }],
      },
    ),
    spec({ a: text }, { allOf: [{ properties: { a: { minLength: 1 } } }] }),
    3,
  ],
])('%s', (_title, before, after, words) => {
  const { schemas, said } = kept(before);
  expect(schemas).toEqual([after]);
  expect(said).toHaveLength(words);
});

it('leaves out bounds of a version that is not stored if no value satisfies both', () => {
  const { schemas, said } = kept(spec({ a: { ...text, maxLength: 3 } }), spec({ a: { ...text, minLength: 4 } }));
  expect(schemas).toEqual([spec({ a: { ...text, maxLength: 3 } }), spec({ a: text })]);
  expect(said).toHaveLength(1);
});
