/** Reads fields of kubeconfig data, whose types nobody vouches for. */

/** A field's value, where there is one. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** A text that says something. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** An entry of one of the lists of named things. */
export function named(config: unknown, list: string, name: string, key: string): unknown {
  const entries = field(config, list);
  const found = Array.isArray(entries) ? entries.find((entry) => field(entry, 'name') === name) : undefined;
  if (found === undefined) throw new Error(`the kubeconfig has no ${key} named ${JSON.stringify(name)}`);
  return field(found, key) ?? {};
}

/** An entry of an object literal, or none. */
export function defined<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const entry: { [P in K]?: V } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}
