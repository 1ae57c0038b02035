/** Compares values of the expression engine more strictly than expressions do. */
import { equal } from '../../../runtime/cel/values/equality.js';
import { entryOf } from '../../../runtime/cel/values/maps.js';
import { CelMap, type CelValue, Double, isList, itemsOf, typeNameOf } from '../../../runtime/cel/values/value.js';

/** Compares two values, types included. NaN equals NaN. */
export function same(a: CelValue, b: CelValue): boolean {
  if (typeNameOf(a) !== typeNameOf(b)) return false;
  if (a instanceof Double && b instanceof Double) return Object.is(a.value, b.value) || a.value === b.value;
  if (isList(a) && isList(b)) {
    const [left, right] = [itemsOf(a), itemsOf(b)];
    return left.length === right.length && left.every((item, i) => same(item, right[i] ?? null));
  }
  if (a instanceof CelMap && b instanceof CelMap) {
    return (
      a.size === b.size &&
      a.keys().every((key) => {
        const [left, right] = [entryOf(a, key), entryOf(b, key)];
        return left !== undefined && right !== undefined && same(left, right);
      })
    );
  }
  return equal(a, b);
}
