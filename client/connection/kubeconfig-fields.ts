/** Reads fields of kubeconfig data of unknown types. */

/** Returns the value of a field, or `undefined`. */
export function field(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** Returns a text, or `undefined` if it is empty or missing. */
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Returns the field `key` of a named entry in a list. Throws an Error that lists the known names if no entry has the
 * name.
 */
export function named(config: unknown, list: string, name: string, key: string): unknown {
  const entries = field(config, list);
  const all: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const found = all.find((entry) => field(entry, 'name') === name);
  if (found === undefined) {
    const others = all.map((entry) => text(field(entry, 'name'))).filter((one) => one !== undefined);
    const instead = others.length === 0 ? '' : `; it has ${others.join(', ')}`;
    throw new Error(`the kubeconfig has no ${key} named ${JSON.stringify(name)}${instead}`);
  }
  return field(found, key) ?? {};
}

/** Decodes the base64 in a field to text. Throws an Error with the field's name if it is not base64. */
export function decoded(value: unknown, name: string): string | undefined {
  const data = text(field(value, name));
  if (data === undefined) return undefined;
  try {
    return atob(data);
  } catch (error) {
    throw new Error(`${name} of the kubeconfig is not base64`, { cause: error });
  }
}

/** Returns an object with one entry, or with none if the value is `undefined`. */
export function defined<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const entry: { [P in K]?: V } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}
