/** Comma-separated values. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCsv } from '../../../../plugins/authentication/csv.js';

const fieldsOf = (text: string) => parseCsv(text).map(({ fields }) => fields);

describe('parseCsv', () => {
  it.each([
    ['a,b,c', [['a', 'b', 'c']]],
    [
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a,b\r\n\r\nc\r\n', [['a', 'b'], ['c']]],
    [' a , "b, ""c""" ,\td', [['a', 'b, "c"', 'd']]],
    ['a,"b\nc",d\ne', [['a', 'b\nc', 'd'], ['e']]],
    ['a,,', [['a', '', '']]],
    [',\n', [['', '']]],
    ['', []],
    ['\n\n', []],
    ['""', []],
    ['a,"b', [['a', '"b']]],
    ['a"b,c', [['a"b', 'c']]],
  ])('reads %j', (text, fields) => {
    expect(fieldsOf(text)).toEqual(fields);
  });

  it('knows on which line a record begins', () => {
    expect(parseCsv('a\n"b\nb"\n\nc').map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it('reads back what was written', () => {
    const field = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 2, maxLength: 5 })), (records) => {
        const text = records
          .map((fields) => fields.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join('\n');
        expect(fieldsOf(text)).toEqual(records);
      }),
    );
  });
});
