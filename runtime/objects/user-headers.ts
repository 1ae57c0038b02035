/** Reads the headers in which a request names a user: those of impersonation, and those of authenticating proxies. */

/** A request, or the credentials that came with it. */
export interface HeaderSource {
  /** Header values by lower-case name; of a header that is sent more than once, the first value or all of them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** All values of a header, by its lower-case name, where `headers` has not all of them; absent where it has. */
  readonly valuesOf?: ((name: string) => readonly string[]) | undefined;
}

/** Returns all values of a header, by its lower-case name, in order. */
export function valuesOfHeader(source: HeaderSource, name: string): readonly string[] {
  const value = source.headers[name];
  if (value === undefined) return [];
  return source.valuesOf?.(name) ?? (typeof value === 'string' ? [value] : value);
}

/** Returns the extras of a user: the rest of the name of each header that begins with a prefix, with its values. */
export function extrasOfHeaders(
  source: HeaderSource,
  prefixes: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const extras = new Map<string, readonly string[]>();
  for (const prefix of prefixes) {
    for (const header of Object.keys(source.headers)) {
      if (!header.startsWith(prefix)) continue;
      const key = unescaped(header.slice(prefix.length));
      extras.set(key, [...(extras.get(key) ?? []), ...valuesOfHeader(source, header)]);
    }
  }
  return Object.fromEntries(extras);
}

/** A key is percent-encoded where a header's name could not say it; one that is not stays as it is. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
