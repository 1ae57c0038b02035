/** Reads values of JSON of unknown shape. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value of an object's own field; `undefined` without such a field. */
export const valueAt = (value: unknown, field: string): unknown =>
  isRecord(value) && Object.hasOwn(value, field) ? value[field] : undefined;

/** Returns the text of a field; empty if it has none. */
export function textAt(value: unknown, field: string): string {
  const text = valueAt(value, field);
  return typeof text === 'string' ? text : '';
}

/** Returns the items of a field; none if it is not a list. */
export function listAt(value: unknown, field: string): readonly unknown[] {
  const list = valueAt(value, field);
  return Array.isArray(list) ? list : [];
}

/** Returns the texts of a list. */
export const textsAt = (value: unknown, field: string): readonly string[] =>
  listAt(value, field).filter((one) => typeof one === 'string');
