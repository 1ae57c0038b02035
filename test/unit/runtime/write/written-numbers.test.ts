/** Whole numbers in another notation, in integer fields of typed kinds. */
import { expect, it } from 'vitest';
import { decodeJson } from '../../../../runtime/codec/json.js';
import type { Schema } from '../../../../runtime/contract/index.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { serveResource } from '../../../../runtime/resource/serve-resource.js';
import { takeAsWritten } from '../../../../runtime/write/decode-object.js';
import { changedModule } from '../../../support/modules.js';
import { widgets } from '../../../support/widgets.js';

const integer: Schema = { type: 'integer' };
const schema: Schema = {
  type: 'object',
  properties: {
    count: integer,
    ratio: { type: 'number' },
    port: { 'x-kubernetes-int-or-string': true },
    list: { type: 'array', items: { type: 'object', properties: { n: integer } } },
    numbers: { type: 'array', items: integer },
    map: { type: 'object', additionalProperties: integer },
    tree: {
      type: 'object',
      'x-kindforge-type': 'Tree',
      properties: {
        size: integer,
        ratio: { type: 'number' },
        child: { 'x-kindforge-within': 'Tree' },
        children: { type: 'array', items: { 'x-kindforge-within': 'Tree' } },
        named: { type: 'object', additionalProperties: { 'x-kindforge-within': 'Tree' } },
        oneOrMore: { 'x-kindforge-within': 'Tree', 'x-kindforge-or': 'schemas' },
        treeOrYes: { 'x-kindforge-within': 'Tree', 'x-kindforge-or': 'boolean' },
      },
    },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const typed = serveResource(changedModule(widgets, { decoding: 'typed', schema }));

function spoilt(text: string, resource = typed): string {
  const decoded = decodeJson(text);
  if (!decoded.ok || !isObject(decoded.value)) return 'not read';
  const asWritten = takeAsWritten(resource, decoded.value, decoded.decimals);
  // Its decoder names the first invalid number.
  const refused = JSON.stringify(decoded.value).includes('null');
  return refused ? asWritten('number NaN') : 'taken';
}

it.each([
  ['{"count":2.0}', 'number 2.0'],
  ['{"ratio":1.0,"count":1e2}', 'number 1e2'],
  ['{"count":99999999999999999999}', 'number 99999999999999999999'],
  ['{"port":80.0}', 'number 80.0'],
  ['{"ratio":1e-3,"count":1e-3}', 'number 1e-3'],
  ['{"count":1.50}', 'number 1.50'],
  ['{"list":[{"n":1},{"n":-0.0}]}', 'number -0.0'],
  ['{"numbers":[1,2.0]}', 'number 2.0'],
  ['{"metadata":{"generation":2.0}}', 'number 2.0'],
  ['{"map":{"a.b[0]":3.0,"a":1}}', 'number 3.0'],
  ['{"tree":{"size":1e3}}', 'number 1e3'],
  ['{"tree":{"child":{"child":{"size":1000.0}}}}', 'number 1000.0'],
  ['{"tree":{"children":[{"size":1},{"named":{"size":{"size":1e0}}}]}}', 'number 1e0'],
  ['{"tree":{"oneOrMore":[{"size":2},{"child":{"size":2.0}}]}}', 'number 2.0'],
  ['{"tree":{"oneOrMore":{"treeOrYes":{"size":2.0}}}}', 'number 2.0'],
  ['{"tree":{"child":{"ratio":2.0,"children":[{"other":2.0}]},"size":2}}', 'taken'],
  ['{"count":2}', 'taken'],
  ['{"ratio":2.0}', 'taken'],
  ['{"open":{"count":2.0},"unknown":2.0,"list":[2.0]}', 'taken'],
])('%s: %s', (text, expected) => {
  expect(spoilt(text)).toBe(expected);
});

it.each([
  ['{"limits":{"cpu":1e3,"memory":12345678901234567890}}', '{"limits":{"cpu":"1e3","memory":"12345678901234567890"}}'],
  ['{"sizes":[2.0,1,1E3],"ratio":2.0}', '{"sizes":["2.0",1,"1E3"],"ratio":2}'],
  ['{"sizes":[1e-3,0.5,0.10,0.1234567890123456789]}', '{"sizes":["1e-3",0.5,"0.10","0.1234567890123456789"]}'],
  ['{"limits":{"a.b/c[0]":1e3},"unknown":1e3}', '{"limits":{"a.b/c[0]":"1e3"},"unknown":1000}'],
])('leaves quantities unchanged: %s', (text, expected) => {
  const quantity: Schema = { type: 'string', format: 'quantity' };
  const properties: Schema['properties'] = {
    limits: { type: 'object', additionalProperties: quantity },
    sizes: { type: 'array', items: quantity },
    ratio: { type: 'number' },
  };
  const decoded = decodeJson(text);
  if (!decoded.ok || !isObject(decoded.value)) throw new Error('not read');
  const quantities = serveResource(
    changedModule(widgets, { decoding: 'typed', schema: { type: 'object', properties } }),
  );
  takeAsWritten(quantities, decoded.value, decoded.decimals);
  expect(JSON.stringify(decoded.value)).toBe(expected);
});

it('is not checked for structural kinds', () => {
  expect(spoilt('{"count":2.0}', serveResource(changedModule(widgets, { schema })))).toBe('taken');
});
