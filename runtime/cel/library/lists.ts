/** The list functions of Kubernetes. */
import { bool, bytes, double, duration, int, list, param, string, type Type, timestamp, uint } from '../check/types.js';
import type { FunctionDeclaration, Library } from '../environment.js';
import { compare, equal } from '../values/equality.js';
import { fail } from '../values/error.js';
import { addInt, checkUint } from '../values/int.js';
import { toDuration } from '../values/time.js';
import { type CelList, type CelValue, Double, Duration, isInt, itemsOf, Uint } from '../values/value.js';
import { declare, member } from './declare.js';

const a = param('T');

/** The types that have an order, by their names in overloads. */
export const comparable: readonly (readonly [string, Type])[] = [
  ['int', int],
  ['uint', uint],
  ['double', double],
  ['bool', bool],
  ['duration', duration],
  ['timestamp', timestamp],
  ['string', string],
  ['bytes', bytes],
];

function isSorted(values: CelList): boolean {
  return itemsOf(values).every((item, i, all) => i === 0 || compare(all[i - 1] ?? null, item) <= 0);
}

function extreme(name: string, sign: 1 | -1): (values: CelList) => CelValue {
  return (values) => {
    const [first, ...rest] = itemsOf(values);
    if (first === undefined) return fail(`${name} called on empty list`);
    return rest.reduce<CelValue>((best, item) => (compare(item, best) * sign > 0 ? item : best), first);
  };
}

const summable: readonly (readonly [string, Type, CelValue])[] = [
  ['int', int, 0],
  ['uint', uint, new Uint(0n)],
  ['double', double, new Double(0)],
  ['duration', duration, new Duration(0n)],
];

function add(x: CelValue, y: CelValue): CelValue {
  if (isInt(x) && isInt(y)) return addInt(x, y);
  if (x instanceof Double && y instanceof Double) return new Double(x.value + y.value);
  if (x instanceof Uint && y instanceof Uint) return new Uint(checkUint(x.value + y.value));
  if (x instanceof Duration && y instanceof Duration) return toDuration(x.nanos + y.nanos);
  return fail('no such overload');
}

function perType(
  name: string,
  id: string,
  result: (type: Type) => Type,
  run: (values: CelList) => CelValue,
): FunctionDeclaration {
  return declare(
    name,
    ...comparable.map(([key, type]) => member(`list_${id}_${key}`, [list(type)], result(type), run)),
  );
}

export const listsLibrary: Library = {
  name: 'lists',
  functions: [
    perType('isSorted', 'is_sorted', () => bool, isSorted),
    declare(
      'sum',
      ...summable.map(([key, type, zero]) =>
        member(`list_sum_${key}`, [list(type)], type, (values: CelList) => itemsOf(values).reduce<CelValue>(add, zero)),
      ),
    ),
    perType('max', 'max', (type) => type, extreme('max', 1)),
    perType('min', 'min', (type) => type, extreme('min', -1)),
    declare(
      'indexOf',
      member('list_index_of', [list(a), a], int, (values: CelList, item: CelValue) =>
        itemsOf(values).findIndex((one) => equal(one, item)),
      ),
    ),
    declare(
      'lastIndexOf',
      member('list_last_index_of', [list(a), a], int, (values: CelList, item: CelValue) =>
        itemsOf(values).findLastIndex((one) => equal(one, item)),
      ),
    ),
  ],
};
