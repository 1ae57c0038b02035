/** The order of several errors. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FieldError } from '../../../../runtime/contract/index.js';
import { inFieldOrder } from '../../../../runtime/objects/field-order.js';

const errorAt = (field: string, message = ''): FieldError => ({ reason: 'FieldValueInvalid', field, message });

const sorted = (fields: readonly string[], order: readonly string[] | undefined): readonly string[] =>
  inFieldOrder(
    fields.map((field) => errorAt(field)),
    [],
    order,
  ).map(({ field }) => field);

describe('inFieldOrder', () => {
  const order = [
    'spec.first',
    'spec.rules[].host',
    'spec.rules[].paths[].path',
    'spec.rules[].paths[].kind',
    'spec.last',
  ];

  it.each<[string, readonly string[], readonly string[]]>([
    ['fields as they are listed', ['spec.last', 'spec.first'], ['spec.first', 'spec.last']],
    [
      'items of a list one after the other',
      ['spec.rules[10].host', 'spec.rules[2].paths[0].path', 'spec.rules[2].host'],
      ['spec.rules[2].host', 'spec.rules[2].paths[0].path', 'spec.rules[10].host'],
    ],
    [
      'lists within lists',
      [
        'spec.rules[0].paths[1].path',
        'spec.rules[0].paths[0].kind',
        'spec.rules[0].paths[0].path',
        'spec.rules[0].host',
      ],
      [
        'spec.rules[0].host',
        'spec.rules[0].paths[0].path',
        'spec.rules[0].paths[0].kind',
        'spec.rules[0].paths[1].path',
      ],
    ],
    [
      'a list between fields',
      ['spec.last', 'spec.rules[1].host', 'spec.first'],
      ['spec.first', 'spec.rules[1].host', 'spec.last'],
    ],
    [
      'items that the order does not look into as they are',
      ['spec.last[2]', 'spec.last[1]'],
      ['spec.last[2]', 'spec.last[1]'],
    ],
    ['a container before its parts', ['spec.rules[0].host', 'spec.rules'], ['spec.rules', 'spec.rules[0].host']],
    [
      'unlisted fields last',
      ['metadata.name', 'spec.other', 'spec.last'],
      ['spec.last', 'spec.other', 'metadata.name'],
    ],
  ])('has %s', (_what, given, expected) => {
    expect(sorted(given, order)).toEqual(expected);
  });

  it('has a field after its parts if the order has it with a dot', () => {
    const parts = ['spec.rules[0]', 'spec.rules[0].host', 'spec.rules[1].host'];
    expect(sorted(parts, ['spec.rules[].host', 'spec.rules[].'])).toEqual([
      ...['spec.rules[0].host', 'spec.rules[0]', 'spec.rules[1].host'],
    ]);
  });

  it.each<[string, readonly string[], readonly string[], readonly string[]]>([
    [
      'before the first that is not checked earlier',
      ['spec.last', 'spec.rules[0].host'],
      ['spec.first', 'spec.rules[0].paths[0].kind', 'spec.rules[1].host'],
      ['spec.first', 'spec.rules[0].host', 'spec.rules[0].paths[0].kind', 'spec.rules[1].host', 'spec.last'],
    ],
    [
      'with what is told late left where it is',
      ['spec.rules[0].host'],
      ['spec.last', 'spec.first'],
      ['spec.rules[0].host', 'spec.last', 'spec.first'],
    ],
    ['before those of the same field', ['spec.last'], ['spec.last.part'], ['spec.last', 'spec.last.part']],
  ])('puts errors of the schema among errors of a strategy: %s', (_what, schema, strategy, expected) => {
    const errors = (fields: readonly string[]) => fields.map((field) => errorAt(field));
    expect(inFieldOrder(errors(schema), errors(strategy), order).map(({ field }) => field)).toEqual(expected);
  });

  it('reads brackets without an index as part of the name', () => {
    const fields = ['spec.resources[limits.cpu]', 'spec.resources[storage]'];
    expect(sorted(fields, ['spec.resources[storage]', 'spec.resources[limits.cpu]'])).toEqual([...fields].reverse());
  });

  it("keeps the order of one field's errors, and of all errors without an order", () => {
    const errors = ['a', 'b', 'c'].map((message) => errorAt('spec.first', message));
    expect(inFieldOrder(errors, [], order)).toEqual(errors);
    expect(sorted(['b', 'a'], undefined)).toEqual(['b', 'a']);
  });

  it('loses and adds no errors', () => {
    const field = fc.stringMatching(/^(?:spec|metadata)(?:\.[a-c]|\[[0-3]\]|\[[x.]{1,3}\]){0,4}$/);
    fc.assert(
      fc.property(fc.array(field), fc.array(field), (fields, some) => {
        expect([...sorted(fields, some)].sort()).toEqual([...fields].sort());
      }),
    );
  });
});
