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
  const all: readonly unknown[] = Array.isArray(entries) ? entries : [];
  const found = all.find((entry) => field(entry, 'name') === name);
  if (found === undefined) {
    const others = all.map((entry) => text(field(entry, 'name'))).filter((one) => one !== undefined);
    const instead = others.length === 0 ? '' : `; it has ${others.join(', ')}`;
    throw new Error(`the kubeconfig has no ${key} named ${JSON.stringify(name)}${instead}`);
  }
  return field(found, key) ?? {};
}

/** The text of a field that holds it in base64. Throws with the field's name where it does not. */
export function decoded(value: unknown, name: string): string | undefined {
  const data = text(field(value, name));
  if (data === undefined) return undefined;
  try {
    return atob(data);
  } catch (error) {
    throw new Error(`${name} of the kubeconfig is no base64`, { cause: error });
  }
}

/** An entry of an object literal, or none. */
export function defined<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const entry: { [P in K]?: V } = {};
  if (value !== undefined) entry[key] = value;
  return entry;
}
