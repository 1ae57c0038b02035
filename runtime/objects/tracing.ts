/** The span of what is being done at present, which parts of a server add theirs to. Without traces there is none. */
import type { Span, SpanOptions } from '../contract/index.js';
import { type MaybePromise, thenSync } from './maybe-promise.js';

let find: (() => Span | undefined) | undefined;

/** Says how the current span is found. It is the same way for all servers of a process, each with spans of its own. */
export function findSpans(by: () => Span | undefined): void {
  find = by;
}

/** `undefined` without traces, which costs one look. */
export const currentSpan = (): Span | undefined => find?.();

/**
 * Runs a function as a span below the current one, which ends with it and fails where that throws. The function is
 * given the span, or nothing where there is none to begin it below.
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
