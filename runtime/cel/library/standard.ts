/** The standard library: conversions, sizes, texts, and the fields of times. */
import { parseDouble, parseInt64, parseUint64 } from '../../objects/scan/numbers.js';
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  list,
  map,
  nullType,
  param,
  string,
  type Type,
  timestamp,
  typeOf,
  typeType,
  uint,
} from '../check/types.js';
import type { FunctionDeclaration, Library } from '../environment.js';
import { fail } from '../values/error.js';
import { checkUint, toInt } from '../values/int.js';
import { compilePattern, textSize } from '../values/text.js';
import {
  formatDuration,
  formatTimestamp,
  parseDuration,
  parseTimestamp,
  type TimeField,
  timeField,
  toTimestamp,
  unixSeconds,
} from '../values/time.js';
import {
  type CelList,
  type CelMap,
  type CelValue,
  Double,
  type Duration,
  type Int,
  itemsOf,
  type Timestamp,
  TypeValue,
  typeNameOf,
  Uint,
} from '../values/value.js';
import { declare, member, overload } from './declare.js';
import { formatDouble } from './double-text.js';
import { operators } from './operators.js';

const a = param('A');
const b = param('B');
const same = (value: CelValue): CelValue => value;

const conversionError = (from: string, to: string): never => fail(`type conversion error from '${from}' to '${to}'`);

/** The longest text to read as a number, including leading zeros. */
const maxWholeLength = 40;

function wholeFromText(text: string, to: 'int' | 'uint'): bigint {
  if (text.length > maxWholeLength) return conversionError('string', to);
  const read = to === 'int' ? parseInt64(text) : parseUint64(text);
  return read.ok ? read.value : conversionError('string', to);
}

const intFromText = (text: string): Int => toInt(wholeFromText(text, 'int'));
const uintFromText = (text: string): Uint => new Uint(wholeFromText(text, 'uint'));

/** Converts a double to an int. Refuses a double at a bound, because it may be a rounded number beyond the bound. */
function intFromDouble({ value }: Double): Int {
  if (!(value > -(2 ** 63) && value < 2 ** 63)) return fail('integer overflow');
  return toInt(BigInt(Math.trunc(value)));
}

function uintFromDouble({ value }: Double): Uint {
  if (!(value >= 0 && value < 2 ** 64)) return fail('unsigned integer overflow');
  return new Uint(BigInt(Math.trunc(value)));
}

function doubleFromText(text: string): Double {
  const value = parseDouble(text);
  return value === undefined ? conversionError('string', 'double') : new Double(value);
}

function boolFromText(text: string): boolean {
  if (/^(?:1|t|T|TRUE|true|True)$/.test(text)) return true;
  return /^(?:0|f|F|FALSE|false|False)$/.test(text) ? false : conversionError('string', 'bool');
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

function textFromBytes(value: Uint8Array): string {
  try {
    return decoder.decode(value);
  } catch {
    return fail('invalid UTF-8 in bytes, cannot convert to string');
  }
}

const conversions: readonly FunctionDeclaration[] = [
  declare(
    'bool',
    overload('bool_to_bool', [bool], bool, same),
    overload('string_to_bool', [string], bool, boolFromText),
  ),
  declare(
    'int',
    overload('int64_to_int64', [int], int, same),
    overload('double_to_int64', [double], int, intFromDouble),
    overload('duration_to_int64', [duration], int, (value: Duration) => toInt(value.nanos)),
    overload('string_to_int64', [string], int, intFromText),
    overload('timestamp_to_int64', [timestamp], int, (value: Timestamp) => toInt(unixSeconds(value))),
    overload('uint64_to_int64', [uint], int, ({ value }: Uint) => toInt(value)),
  ),
  declare(
    'uint',
    overload('uint64_to_uint64', [uint], uint, same),
    overload('double_to_uint64', [double], uint, uintFromDouble),
    overload('int64_to_uint64', [int], uint, (value: Int) => new Uint(checkUint(BigInt(value)))),
    overload('string_to_uint64', [string], uint, uintFromText),
  ),
  declare(
    'double',
    overload('double_to_double', [double], double, same),
    overload('int64_to_double', [int], double, (value: Int) => new Double(Number(value))),
    overload('string_to_double', [string], double, doubleFromText),
    overload('uint64_to_double', [uint], double, ({ value }: Uint) => new Double(Number(value))),
  ),
  declare(
    'string',
    overload('string_to_string', [string], string, same),
    overload('bool_to_string', [bool], string, String),
    overload('bytes_to_string', [bytes], string, textFromBytes),
    overload('double_to_string', [double], string, ({ value }: Double) => formatDouble(value)),
    overload('duration_to_string', [duration], string, formatDuration),
    overload('int64_to_string', [int], string, String),
    overload('timestamp_to_string', [timestamp], string, formatTimestamp),
    overload('uint64_to_string', [uint], string, ({ value }: Uint) => String(value)),
  ),
  declare(
    'bytes',
    overload('bytes_to_bytes', [bytes], bytes, same),
    overload('string_to_bytes', [string], bytes, (value: string) => encoder.encode(value)),
  ),
  declare(
    'timestamp',
    overload('timestamp_to_timestamp', [timestamp], timestamp, same),
    overload('int64_to_timestamp', [int], timestamp, (value: Int) => toTimestamp(BigInt(value) * 1_000_000_000n)),
    overload(
      'string_to_timestamp',
      [string],
      timestamp,
      (value: string) => parseTimestamp(value) ?? conversionError('string', 'google.protobuf.Timestamp'),
    ),
  ),
  declare(
    'duration',
    overload('duration_to_duration', [duration], duration, same),
    overload(
      'int64_to_duration',
      [int],
      duration,
      (value: Int) => parseDuration(`${value}ns`) ?? fail('integer overflow'),
    ),
    overload(
      'string_to_duration',
      [string],
      duration,
      (value: string) => parseDuration(value) ?? conversionError('string', 'google.protobuf.Duration'),
    ),
  ),
  declare('dyn', overload('to_dyn', [a], dyn, same)),
  declare(
    'type',
    overload('type', [a], typeOf(a), (value: CelValue) => new TypeValue(typeNameOf(value))),
  ),
];

const listSize = (value: CelList): number => itemsOf(value).length;
const mapSize = (value: CelMap): number => value.size;
const bytesSize = (value: Uint8Array): number => value.length;

const texts: readonly FunctionDeclaration[] = [
  declare(
    'size',
    overload('size_bytes', [bytes], int, bytesSize),
    overload('size_list', [list(a)], int, listSize),
    overload('size_map', [map(a, b)], int, mapSize),
    overload('size_string', [string], int, textSize),
    member('bytes_size', [bytes], int, bytesSize),
    member('list_size', [list(a)], int, listSize),
    member('map_size', [map(a, b)], int, mapSize),
    member('string_size', [string], int, textSize),
  ),
  declare(
    'contains',
    member('contains_string', [string, string], bool, (x: string, y: string) => x.includes(y)),
  ),
  declare(
    'startsWith',
    member('starts_with_string', [string, string], bool, (x: string, y: string) => x.startsWith(y)),
  ),
  declare(
    'endsWith',
    member('ends_with_string', [string, string], bool, (x: string, y: string) => x.endsWith(y)),
  ),
  declare(
    'matches',
    overload('matches', [string, string], bool, (x: string, y: string) => compilePattern(y).test(x)),
    member('matches_string', [string, string], bool, (x: string, y: string) => compilePattern(y).test(x)),
  ),
];

function timestampField(name: string, id: string, field: TimeField): FunctionDeclaration {
  return declare(
    name,
    member(`timestamp_to_${id}`, [timestamp], int, (value: Timestamp) => timeField(value, field)),
    member(
      `timestamp_to_${id}_${field === 'seconds' ? 'tz' : 'with_tz'}`,
      [timestamp, string],
      int,
      (value: Timestamp, zone: string) => timeField(value, field, zone),
    ),
  );
}

function durationUnit(name: string, id: string, nanos: bigint): FunctionDeclaration {
  return declare(
    name,
    member(`duration_to_${id}`, [duration], int, (value: Duration) => toInt(value.nanos / nanos)),
  );
}

const times: readonly FunctionDeclaration[] = [
  timestampField('getFullYear', 'year', 'year'),
  timestampField('getMonth', 'month', 'month'),
  timestampField('getDate', 'day_of_month_1_based', 'date'),
  timestampField('getDayOfMonth', 'day_of_month', 'dayOfMonth'),
  timestampField('getDayOfWeek', 'day_of_week', 'dayOfWeek'),
  timestampField('getDayOfYear', 'day_of_year', 'dayOfYear'),
  timestampField('getHours', 'hours', 'hours'),
  timestampField('getMinutes', 'minutes', 'minutes'),
  timestampField('getSeconds', 'seconds', 'seconds'),
  timestampField('getMilliseconds', 'milliseconds', 'milliseconds'),
  durationUnit('getHours', 'hours', 3_600_000_000_000n),
  durationUnit('getMinutes', 'minutes', 60_000_000_000n),
  durationUnit('getSeconds', 'seconds', 1_000_000_000n),
  durationUnit('getMilliseconds', 'milliseconds', 1_000_000n),
];

const types: Readonly<Record<string, Type>> = {
  bool,
  int,
  uint,
  double,
  string,
  bytes,
  list: list(dyn),
  map: map(dyn, dyn),
  null_type: nullType,
  type: typeType,
  'google.protobuf.Timestamp': timestamp,
  'google.protobuf.Duration': duration,
};

export const standardLibrary: Library = {
  name: 'standard',
  functions: [...operators, ...conversions, ...texts, ...times],
  macros: ['standard'],
  types,
};
