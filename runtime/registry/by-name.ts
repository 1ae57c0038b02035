/** Extensions by the names that they go by, each of which only one may have. */

/** Throws where two have the same name: one of them would be passed over in silence. */
export function byName<T>(what: string, extensions: readonly T[], nameOf: (extension: T) => string): Map<string, T> {
  const named = new Map<string, T>();
  for (const extension of extensions) {
    const name = nameOf(extension);
    if (named.has(name)) throw new Error(`there are two ${what} ${name}`);
    named.set(name, extension);
  }
  return named;
}
