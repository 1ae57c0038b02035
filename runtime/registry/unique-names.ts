/** Maps extensions by their names, which have to be unique. */

/** Throws where two have the same name, as one of them would never be used. */
export function byUniqueName<T>(
  what: string,
  extensions: readonly T[],
  nameOf: (extension: T) => string,
): Map<string, T> {
  const named = new Map<string, T>();
  for (const extension of extensions) {
    const name = nameOf(extension);
    if (named.has(name)) throw new Error(`there are two ${what} ${name}`);
    named.set(name, extension);
  }
  return named;
}
