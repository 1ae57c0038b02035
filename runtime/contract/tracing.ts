/** Spans of traces, as parts of a server see them: what they did for a request, when, and for how long. */

/** The facts of a span. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The server that a span is about: this server itself, or another that it asks. */
export type SpanKind = 'internal' | 'client';

/** The options of a span. */
export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /** How long ago it began, milliseconds. Default: it begins now. */
  readonly beganMsAgo?: number;
}

/** The headers that carry a trace from program to program (W3C Trace Context). */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** A span that has begun. It costs next to nothing where its trace is not recorded. */
export interface Span {
  /** The headers by which another program goes on with the trace, below this span. */
  readonly headers: TraceHeaders;
  begin(name: string, options?: SpanOptions): Span;
  /** Runs a function, in which, and in all that it waits for, this is the current span. */
  within<T>(run: () => T): T;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks it as failed. */
  fail(problem: string): void;
  end(): void;
}

/** Begins traces. */
export interface Tracer {
  /** The span of a request. It belongs to the trace that the headers name, or begins one. */
  receive(name: string, headers: TraceHeaders): Span;
}
