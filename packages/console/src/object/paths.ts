/** Paths of fields, as in messages of the server: `spec.ports[0].name`, `metadata.labels[example.com/tier]`. */

/** A step into a value: a member, an index, or the item with a key, as in `[name=web]`. */
export type Step = string | number | { readonly key: string; readonly value: string };

export type Members = Readonly<Record<string, unknown>>;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the path as text; empty for the whole value. */
export function printPath(steps: readonly Step[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    if (typeof step !== 'string') return `${path}[${step.key}=${step.value}]`;
    if (!plain.test(step)) return `${path}[${step}]`;
    return path === '' ? step : `${path}.${step}`;
  }, '');
}

const plain = /^[\w$-]+$/;

/** The members that may identify the items of a list, the best first. */
const itemKeys = ['name', 'key', 'type', 'uid', 'ip', 'path'] as const;

/**
 * Returns the member that identifies the items of these lists, or `undefined` if none does. Without it, callers compare
 * items by their index.
 */
export function itemKeyOf(...lists: readonly (readonly unknown[])[]): string | undefined {
  if (lists.every(({ length }) => length === 0)) return undefined;
  return itemKeys.find((key) => lists.every((list) => isKeyedBy(key, list)));
}

function isKeyedBy(key: string, list: readonly unknown[]): boolean {
  const values = list.map((item) => (isMembers(item) && typeof item[key] === 'string' ? item[key] : undefined));
  return !values.includes(undefined) && new Set(values).size === values.length;
}

/** Returns the items of a list by the value of their key, in their order. */
export const byKey = (list: readonly unknown[], key: string): Map<string, unknown> =>
  new Map(list.map((item) => [isMembers(item) ? String(item[key]) : '', item]));

/** Returns whether two values of JSON are deeply equal. Ignores the order of members. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((item, index) => isSame(item, other[index]));
  if (isMembers(one) && isMembers(other)) {
    const names = Object.keys(one);
    if (names.length !== Object.keys(other).length) return false;
    return names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]));
  }
  return one === other;
}
