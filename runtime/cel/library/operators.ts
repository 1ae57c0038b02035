/** Operators of the language. */
import {
  bool,
  bytes,
  double,
  duration,
  dyn,
  int,
  list,
  map,
  optional,
  param,
  string,
  type Type,
  timestamp,
  uint,
} from '../check/types.js';
import type { FunctionDeclaration, Overload } from '../environment.js';
import { textLimit } from '../values/bounds.js';
import { compare, equal } from '../values/equality.js';
import { fail } from '../values/error.js';
import { addInt, checkUint, divideInt, moduloInt, multiplyInt, negateInt, subtractInt } from '../values/int.js';
import { addLists, contains, indexList, indexListEarly, indexMap } from '../values/lookup.js';
import { toDuration, toTimestamp } from '../values/time.js';
import {
  type CelList,
  CelMap,
  type CelValue,
  Double,
  type Duration,
  isInt,
  isList,
  itemsOf,
  none,
  Optional,
  type Timestamp,
  Uint,
} from '../values/value.js';
import { declare, overload } from './declare.js';

const a = param('A');
const b = param('B');

const addDouble = (x: Double, y: Double) => new Double(x.value + y.value);

function joinText(x: string, y: string): string {
  textLimit(x.length + y.length);
  return x + y;
}

function joinBytes(x: Uint8Array, y: Uint8Array): Uint8Array {
  textLimit(x.length + y.length);
  const joined = new Uint8Array(x.length + y.length);
  joined.set(x);
  joined.set(y, x.length);
  return joined;
}

const arithmetic: readonly FunctionDeclaration[] = [
  declare(
    '_+_',
    overload('add_bytes', [bytes, bytes], bytes, joinBytes),
    overload('add_double', [double, double], double, addDouble),
    overload('add_duration_duration', [duration, duration], duration, (x: Duration, y: Duration) =>
      toDuration(x.nanos + y.nanos),
    ),
    overload('add_duration_timestamp', [duration, timestamp], timestamp, (x: Duration, y: Timestamp) =>
      toTimestamp(x.nanos + y.nanos, y.offset),
    ),
    overload('add_timestamp_duration', [timestamp, duration], timestamp, (x: Timestamp, y: Duration) =>
      toTimestamp(x.nanos + y.nanos, x.offset),
    ),
    overload('add_int64', [int, int], int, addInt),
    overload('add_list', [list(a), list(a)], list(a), addLists),
    overload('add_string', [string, string], string, joinText),
    overload('add_uint64', [uint, uint], uint, (x: Uint, y: Uint) => new Uint(checkUint(x.value + y.value))),
  ),
  declare(
    '_-_',
    overload('subtract_double', [double, double], double, (x: Double, y: Double) => new Double(x.value - y.value)),
    overload('subtract_duration_duration', [duration, duration], duration, (x: Duration, y: Duration) =>
      toDuration(x.nanos - y.nanos),
    ),
    overload('subtract_int64', [int, int], int, subtractInt),
    overload('subtract_timestamp_duration', [timestamp, duration], timestamp, (x: Timestamp, y: Duration) =>
      toTimestamp(x.nanos - y.nanos, x.offset),
    ),
    overload('subtract_timestamp_timestamp', [timestamp, timestamp], duration, (x: Timestamp, y: Timestamp) =>
      toDuration(x.nanos - y.nanos),
    ),
    overload('subtract_uint64', [uint, uint], uint, (x: Uint, y: Uint) => new Uint(checkUint(x.value - y.value))),
  ),
  declare(
    '_*_',
    overload('multiply_double', [double, double], double, (x: Double, y: Double) => new Double(x.value * y.value)),
    overload('multiply_int64', [int, int], int, multiplyInt),
    overload('multiply_uint64', [uint, uint], uint, (x: Uint, y: Uint) => new Uint(checkUint(x.value * y.value))),
  ),
  declare(
    '_/_',
    overload('divide_double', [double, double], double, (x: Double, y: Double) => new Double(x.value / y.value)),
    overload('divide_int64', [int, int], int, divideInt),
    overload('divide_uint64', [uint, uint], uint, (x: Uint, y: Uint) =>
      y.value === 0n ? fail('division by zero') : new Uint(x.value / y.value),
    ),
  ),
  declare(
    '_%_',
    overload('modulo_int64', [int, int], int, moduloInt),
    overload('modulo_uint64', [uint, uint], uint, (x: Uint, y: Uint) =>
      y.value === 0n ? fail('modulus by zero') : new Uint(x.value % y.value),
    ),
  ),
  declare(
    '-_',
    overload('negate_int64', [int], int, negateInt),
    overload('negate_double', [double], double, (x: Double) => new Double(-x.value)),
  ),
];

const ordered: readonly (readonly [name: string, type: Type])[] = [
  ['bool', bool],
  ['int64', int],
  ['uint64', uint],
  ['double', double],
  ['string', string],
  ['bytes', bytes],
  ['timestamp', timestamp],
  ['duration', duration],
];

const numeric: readonly (readonly [name: string, type: Type])[] = [
  ['int64', int],
  ['uint64', uint],
  ['double', double],
];

/** Declares an order relation for values of one type, and for numbers of two types. */
function comparison(sign: string, id: string, test: (order: number) => boolean): FunctionDeclaration {
  const run = (x: CelValue, y: CelValue) => test(compare(x, y));
  const same = ordered.map(([name, type]) => ({
    ...overload(`${id}_${name}`, [type, type], bool, run),
    mixesNumbers: numeric.some(([known]) => known === name),
  }));
  const mixed: Overload[] = [];
  for (const [left, x] of numeric) {
    for (const [right, y] of numeric)
      if (left !== right) mixed.push(overload(`${id}_${left}_${right}`, [x, y], bool, run));
  }
  return declare(`_${sign}_`, ...same, ...mixed);
}

const relations: readonly FunctionDeclaration[] = [
  comparison('<', 'less', (order) => order < 0),
  comparison('<=', 'less_equals', (order) => order <= 0),
  comparison('>', 'greater', (order) => order > 0),
  comparison('>=', 'greater_equals', (order) => order >= 0),
  declare('_==_', overload('equals', [a, a], bool, equal)),
  declare(
    '_!=_',
    overload('not_equals', [a, a], bool, (x: CelValue, y: CelValue) => !equal(x, y)),
  ),
  declare('@in', overload('in_list', [a, list(a)], bool, contains), overload('in_map', [a, map(a, b)], bool, contains)),
];

/** The logical operators. They do not always evaluate all operands, so compiled programs inline them. */
const logic: readonly FunctionDeclaration[] = [
  declare('_&&_', { id: 'logical_and', member: false, params: [bool, bool], result: bool }),
  declare('_||_', { id: 'logical_or', member: false, params: [bool, bool], result: bool }),
  declare(
    '!_',
    overload('logical_not', [bool], bool, (x: boolean) => !x),
  ),
  declare('_?_:_', { id: 'conditional', member: false, params: [bool, a, a], result: a }),
  declare(
    '@not_strictly_false',
    overload('not_strictly_false', [bool], bool, (x: CelValue) => x !== false),
  ),
];

const listIndex = (run: (items: CelList, index: CelValue) => CelValue): Overload => ({
  ...overload('index_list', [list(a), int], a, run),
  loose: true,
});

/** The index operator of lists, with the messages of release 1.27. */
export const earlyIndexing: readonly FunctionDeclaration[] = [declare('_[_]', listIndex(indexListEarly))];

const indexing: readonly FunctionDeclaration[] = [
  declare('_[_]', listIndex(indexList), overload('index_map', [map(a, b), a], b, indexMap)),
];

function indexOptional(value: CelValue, index: CelValue): Optional {
  if (value instanceof CelMap) return contains(index, value) ? new Optional(indexMap(value, index)) : none;
  if (!isList(value)) return fail('no such overload');
  const item = isInt(index) && index >= 0 ? itemsOf(value)[Number(index)] : undefined;
  return item === undefined ? none : new Optional(item);
}

const through = ({ value }: Optional, index: CelValue): Optional =>
  value === undefined ? none : indexOptional(value, index);

/** `a[?b]`, and `a[b]` if `a` may be absent itself. */
export const optionalIndexing: readonly FunctionDeclaration[] = [
  declare(
    '_[?_]',
    overload('list_optindex_optional_int', [list(a), int], optional(a), indexOptional),
    overload('optional_list_optindex_optional_int', [optional(list(a)), int], optional(a), through),
    overload('map_optindex_optional_value', [map(a, b), a], optional(b), indexOptional),
    overload('optional_map_optindex_optional_value', [optional(map(a, b)), a], optional(b), through),
  ),
  declare(
    '_[_]',
    overload('optional_list_index_int', [optional(list(a)), int], optional(a), through),
    overload('optional_map_index_value', [optional(map(a, b)), a], optional(b), through),
  ),
  declare('_?._', { id: 'select_optional_field', member: false, params: [dyn, string], result: optional(dyn) }),
];

export const operators: readonly FunctionDeclaration[] = [...arithmetic, ...relations, ...logic, ...indexing];
