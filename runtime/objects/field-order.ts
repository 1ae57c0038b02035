/** Puts errors in the order in which the fields of a kind are checked. */
import type { FieldError } from '../contract/index.js';

/** A place in a list, or a name. */
type Segment = number | string;

/** Splits `spec.rules[1].host`; what stands in brackets and is no index stays a part of the name. */
const segmentsOf = (field: string): readonly Segment[] =>
  [...field.matchAll(/\[(\d+)\]|([^.[]+(?:\[[^\]]*[^\]\d][^\]]*\])?)/g)].map(([, index, name = '']) =>
    index === undefined ? name : Number(index),
  );

/**
 * Sorts errors, those of a list item by item. `order` has the paths of fields, with `[]` for any index; a field comes
 * where the first path is that lies in it, and one without such a path comes last. Otherwise errors stay as they are.
 */
export function inFieldOrder(
  errors: readonly FieldError[],
  order: readonly string[] | undefined,
): readonly FieldError[] {
  if (order === undefined || errors.length < 2) return errors;
  const parsed = errors.map((error) => ({ error, segments: segmentsOf(error.field) }));
  return parsed.sort((left, right) => compare(left.segments, right.segments, order)).map(({ error }) => error);
}

function compare(left: readonly Segment[], right: readonly Segment[], order: readonly string[]): number {
  let path = '';
  for (let i = 0; i < Math.min(left.length, right.length); i++) {
    const [one, other] = [left[i] ?? '', right[i] ?? ''];
    if (one !== other) {
      if (typeof one === 'number' && typeof other === 'number') return one - other;
      return rank(join(path, one), order) - rank(join(path, other), order);
    }
    path = join(path, one);
  }
  return left.length - right.length;
}

const join = (path: string, segment: Segment): string =>
  typeof segment === 'number' ? `${path}[]` : path === '' ? segment : `${path}.${segment}`;

function rank(path: string, order: readonly string[]): number {
  const index = order.findIndex(
    (each) => each === path || /^[.[]/.test(each.startsWith(path) ? each.slice(path.length) : ''),
  );
  return index < 0 ? order.length : index;
}
