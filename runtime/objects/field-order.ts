/** Merges errors of two checks of an object into the order in which the fields of its kind are checked. */
import type { FieldError } from '../contract/index.js';
import { digitsEnd } from './scan/numbers.js';

/** A position in a list, or a name. */
type Segment = number | string;

/** The position of an error: one number for each listed level of its path. Keys are compared number by number. */
type Key = readonly number[];

/** The segment of an order's path that stands for any index of a list. */
const anyIndex = '[]';

/** The last segment of a path that means the field itself, if it is checked after its content. */
const itself = '.';

/**
 * Merges the errors of `schema` and `handlers` into one order. `order` has the paths of fields, with `[]` for any
 * index. A field takes the place of the first path inside it; fields without such a path come last. If the order has
 * paths inside the items of a list, the items follow one another. A field comes before its content, unless the order
 * has it with a trailing dot, as in `spec.rules[].`. The errors of handlers keep their order, because some of their
 * checks come late. Each schema error comes before the first handler error that has the same or a later position.
 */
export function inFieldOrder(
  schema: readonly FieldError[],
  handlers: readonly FieldError[],
  order: readonly string[] | undefined,
): readonly FieldError[] {
  if (order === undefined || schema.length === 0 || schema.length + handlers.length < 2) {
    return [...schema, ...handlers];
  }
  const paths = order.map(segmentsOf);
  const keyed = (error: FieldError) => ({ error, key: keyOf(segmentsOf(error.field), paths) });
  const sorted = schema.map(keyed).sort((left, right) => compare(left.key, right.key));
  const merged: FieldError[] = [];
  let next = 0;
  for (const { error, key } of handlers.map(keyed)) {
    for (let first = sorted[next]; first && compare(first.key, key) <= 0; first = sorted[++next]) {
      merged.push(first.error);
    }
    merged.push(error);
  }
  return [...merged, ...sorted.slice(next).map(({ error }) => error)];
}

/** Splits `spec.rules[1].host`. Brackets without an index stay part of the name. */
function segmentsOf(field: string): readonly Segment[] {
  const segments: Segment[] = [];
  const lastClosing = field.lastIndexOf(']');
  const name = /[^.[]+/y;
  for (let at = 0; at < field.length; ) {
    const digits = digitsEnd(field, at + 1);
    if (field.charAt(at) === '[' && field.charAt(digits) === ']') {
      segments.push(digits === at + 1 ? anyIndex : Number(field.slice(at + 1, digits)));
      at = digits + 1;
      continue;
    }
    name.lastIndex = at;
    if (!name.test(field)) {
      if (field.charAt(at++) === '.' && at === field.length) segments.push(itself);
      continue;
    }
    const end = name.lastIndex;
    const closing = field.charAt(end) === '[' && end < lastClosing ? field.indexOf(']', end) : -1;
    const next = closing > digitsEnd(field, end + 1) ? closing + 1 : end;
    segments.push(field.slice(at, next));
    at = next;
  }
  return segments;
}

/** Returns the key of a path, as deep as the order knows it. */
function keyOf(segments: readonly Segment[], paths: readonly (readonly Segment[])[]): Key {
  const key: number[] = [];
  let fitting = paths;
  for (const [depth, segment] of segments.entries()) {
    if (fitting.every((path) => path.length <= depth)) return key;
    const wanted = typeof segment === 'number' ? anyIndex : segment;
    const rank = fitting.findIndex((path) => path[depth] === wanted);
    fitting = fitting.filter((path) => path[depth] === wanted);
    key.push(rank < 0 ? Number.POSITIVE_INFINITY : typeof segment === 'number' ? segment : rank);
  }
  const rank = fitting.findIndex((path) => path[segments.length] === itself);
  return rank < 0 ? key : [...key, rank];
}

/** Compares keys; a field comes before its content. */
function compare(left: Key, right: Key): number {
  for (const [i, one] of left.entries()) {
    const other = right[i];
    if (other === undefined) return 1;
    if (one !== other) return one < other ? -1 : 1;
  }
  return left.length - right.length;
}
