/** The current span. Parts of a server add their spans to it. Only servers with traces have one. */
import type { Span, SpanOptions } from '../contract/index.js';
import { type MaybePromise, thenSync } from './turns.js';

let find: (() => Span | undefined) | undefined;

/** Sets how to find the current span. All servers of a process use the same function, but each has its own spans. */
export function findSpans(by: () => Span | undefined): void {
  find = by;
}

/** Returns the current span, or `undefined` without traces. */
export const currentSpan = (): Span | undefined => find?.();

/**
 * Runs a function in a child of the current span. The child ends with the function, and fails if the function throws.
 * Without a current span, the function gets no child.
 */
export function inSpan<T>(
  name: string,
  run: (span: Span | undefined) => MaybePromise<T>,
  options?: SpanOptions,
): MaybePromise<T> {
  const above = currentSpan();
  if (!above) return run(undefined);
  const span = above.begin(name, options);
  const failed = (error: unknown): never => {
    span.fail(error instanceof Error ? error.message : String(error));
    span.end();
    throw error;
  };
  try {
    const result = thenSync(
      span.within(() => run(span)),
      (value) => {
        span.end();
        return value;
      },
    );
    return result instanceof Promise ? result.catch(failed) : result;
  } catch (error) {
    return failed(error);
  }
}

// Reads the headers that name a user: headers of impersonation, and headers of authenticating proxies.

/** A request, or the credentials that came with it. */
interface HeaderSource {
  /** Header values by lower-case name. For a repeated header, the first value or all values. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Returns all values of a header by its lower-case name. Absent if `headers` has them all. */
  readonly valuesOf?: ((name: string) => readonly string[]) | undefined;
}

/** Returns all values of a header, by its lower-case name, in order. */
export function valuesOfHeader(source: HeaderSource, name: string): readonly string[] {
  const value = source.headers[name];
  if (value === undefined) return [];
  return source.valuesOf?.(name) ?? (typeof value === 'string' ? [value] : value);
}

/**
 * Returns the extras of a user, from the headers that begin with a prefix. The rest of the header's name is the key.
 */
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

/** Decodes a percent-encoded key. Keys that are not encoded stay unchanged. */
function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
