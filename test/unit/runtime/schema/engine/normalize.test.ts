/** Times and bytes of typed kinds. */
import { describe, expect, it } from 'vitest';
import type { JsonValue, Schema } from '../../../../../runtime/contract/index.js';
import { Mistake } from '../../../../../runtime/schema/engine/mistake.js';
import {
  isEmpty,
  isInt32,
  readBytes,
  readMicroTime,
  readQuantity,
  readTime,
} from '../../../../../runtime/schema/engine/normalize.js';
import { functionsOf, run } from '../../../../support/compiled.js';

type Reader = typeof readTime;

/** Returns the stored form, or the message. */
function read(reader: Reader, value: JsonValue): string {
  const found = reader(value, { type: 'string', 'x-kindforge-type': 'v1/Time' });
  return found instanceof Mistake ? found.inField('at').toMismatch({ kind: 'Thing', version: 'v1' }).message : found;
}

describe('times', () => {
  it('are stored in UTC with whole seconds', () => {
    expect(read(readTime, '2024-02-29T12:00:00Z')).toBe('2024-02-29T12:00:00Z');
    expect(read(readTime, '2024-02-29T01:30:00.999+02:00')).toBe('2024-02-28T23:30:00Z');
  });

  it('with microseconds have exactly six digits', () => {
    expect(read(readMicroTime, '2024-02-29T12:00:00.000001Z')).toBe('2024-02-29T12:00:00.000001Z');
    expect(read(readMicroTime, '2024-02-29T12:00:00Z')).toContain('cannot parse');
  });

  it.each(['implicit', 'always', 'nullable', 'explicit', undefined] as const)(
    'that are empty are refused, also as fields that are %s',
    (presence) => {
      for (const time of ['micros', undefined] as const) {
        const at: Schema = {
          type: 'string',
          format: 'date-time',
          ...(presence === undefined ? {} : { 'x-kindforge-presence': presence }),
          ...(time === undefined ? {} : { 'x-kindforge-time': time }),
        };
        const functions = functionsOf({ type: 'object', properties: { at } }, { decoding: 'typed' });
        const layout = `2006-01-02T15:04:05${time === undefined ? '' : '.000000'}Z07:00`;
        expect(run(functions, { at: '' }).unreadable).toContain(`"" as "${layout}": cannot parse "" as "2006"`);
      }
    },
  );

  it.each<[time: 'micros' | undefined, text: string, stored: string | null]>([
    [undefined, '0001-01-01T00:00:00Z', null],
    [undefined, '0001-01-01T00:00:00.9Z', null],
    [undefined, '0001-01-01T01:00:00+01:00', null],
    [undefined, '0001-01-01T00:00:01Z', '0001-01-01T00:00:01Z'],
    ['micros', '0001-01-01T00:00:00.000000Z', null],
    ['micros', '0001-01-01T00:00:00.000001Z', '0001-01-01T00:00:00.000001Z'],
  ])('in the first second of the year 1 become null: %s %s', (time, text, stored) => {
    for (const presence of ['always', 'nullable', undefined] as const) {
      const at: Schema = {
        type: 'string',
        format: 'date-time',
        ...(presence === undefined ? {} : { 'x-kindforge-presence': presence }),
        ...(time === undefined ? {} : { 'x-kindforge-time': time }),
      };
      const functions = functionsOf({ type: 'object', properties: { at } }, { decoding: 'typed' });
      expect(run(functions, { at: text }).object).toEqual({ at: stored });
    }
  });

  it('that are invalid are reported with a message', () => {
    expect(read(readTime, 'yesterday')).toContain('parsing time "yesterday"');
    expect(read(readTime, 5)).toBe('json: cannot unmarshal number into Go struct field Thing.at of type string');
    expect(read(readMicroTime, true)).toBe('json: cannot unmarshal bool into Go struct field Thing.at of type string');
  });
});

describe('bytes', () => {
  it.each([
    ['', ''],
    ['aGk=', 'aGk='],
    ['aG\nk=\r\n', 'aGk='],
    ['aGl=', 'aGk='],
  ])('%j are stored as %j', (text, stored) => expect(read(readBytes, text)).toBe(stored));

  it.each([
    ['a', 0],
    ['aGk', 0],
    ['aG k', 2],
    ['aGk=x', 4],
    ['====', 0],
    ['aGkh!', 4],
    ['aG', 0],
    ['aG=', 3],
    ['aG=k', 2],
    ['aG==x', 4],
    ['aGkh\naGk', 5],
    ['aG\n k', 3],
  ])('%j is wrong at byte %d', (text, byte) => {
    expect(read(readBytes, text)).toBe(`illegal base64 data at input byte ${byte}`);
  });
});

describe('bytes that are written as numbers', () => {
  it.each<[JsonValue, string]>([
    [[], ''],
    [[104, 105], 'aGk='],
    [[0, null, 255], 'AAD/'],
  ])('%j are stored as %j', (items, stored) => expect(read(readBytes, items)).toBe(stored));

  it.each<[JsonValue, string]>([
    [[256], 'number 256'],
    [[-1], 'number -1'],
    [[1.5], 'number 1.5'],
    [['a'], 'string'],
    [[1, {}], 'object'],
  ])('%j are refused', (items, found) => {
    expect(read(readBytes, items)).toBe(`json: cannot unmarshal ${found} into Go struct field Thing.at of type uint8`);
  });
});

describe('quantities', () => {
  it('may be integers of any size', () => expect(read(readQuantity, 2n ** 60n)).toBe('1152921504606846976'));

  it.each<[JsonValue, string]>([
    ['1500m', '1500m'],
    [5, '5'],
    [' 5', '5'],
    ['5Gi ', '5Gi'],
    ['\u00a0 1k\u3000', '1k'],
  ])('%j are stored as %j', (value, stored) => expect(read(readQuantity, value)).toBe(stored));

  it.each<[JsonValue]>([[''], [' '], ['\t5'], ['5\n'], ['1 k'], [true], [[5]], [{}], [{ toString: 1 }]])(
    '%j are refused',
    (value) => expect(read(readQuantity, value)).toContain('quantities must match the regular expression'),
  );
});

describe('values', () => {
  it('are integers of 32 bits or not', () => {
    expect([0, -1, 2 ** 31 - 1, -(2 ** 31)].every(isInt32)).toBe(true);
    expect([2 ** 31, 1.5, 2n, '1', null, undefined, true].some(isInt32)).toBe(false);
  });

  it('are empty or not', () => {
    expect([[], {}, { a: undefined }].every(isEmpty)).toBe(true);
    expect([[null], { a: null }, '', 0, null, undefined].some(isEmpty)).toBe(false);
  });
});

it('a message names a type that versions share by the version of the object', () => {
  const wanted = (type: string): string =>
    Mistake.ofType({ type: 'object', properties: {}, 'x-kindforge-type': type }, 1)
      .inField('x')
      .toMismatch({ kind: 'Thing', version: 'v1beta1' }).wanted;
  expect(wanted('flowcontrol/v1#/Subject')).toBe('v1beta1.Subject');
  expect(wanted('core/v1#/PodSpec')).toBe('v1.PodSpec');
});
