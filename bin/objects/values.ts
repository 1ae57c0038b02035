/** Reads values of answers, whose types nobody promises. */

export type Fields = Readonly<Record<string, unknown>>;

/** The fields of an object; none for anything else. */
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Name and namespace of an object. */
export function identityOf(object: unknown): { readonly name: string; readonly namespace: string } {
  const metadata = fieldsOf(fieldsOf(object).metadata);
  return { name: textOf(metadata.name), namespace: textOf(metadata.namespace) };
}
