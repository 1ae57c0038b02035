/** The spans of traces, as the parts of a server record them: a piece of work, its start and its duration. */

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** The kind of work: `internal` for work of this server, `client` for a call to another. */
export type SpanKind = 'internal' | 'client';

export interface SpanOptions {
  /** Default: `internal`. */
  readonly kind?: SpanKind;
  readonly attributes?: SpanAttributes;
  /** The milliseconds since the span began. Default: 0. */
  readonly beganMsAgo?: number;
}

/** The headers that carry a trace between programs (W3C Trace Context). */
export interface TraceHeaders {
  readonly traceparent?: string;
  readonly tracestate?: string;
}

/** A started span. It costs next to nothing if its trace is not recorded. */
export interface Span {
  /** The headers with which another program continues the trace below this span. */
  readonly headers: TraceHeaders;
  begin(name: string, options?: SpanOptions): Span;
  /** Runs a function, including its asynchronous parts, with this span as the current one. */
  within<T>(run: () => T): T;
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed. */
  fail(problem: string): void;
  end(): void;
}

/** Starts traces. */
export interface Tracer {
  /** Starts the span of a request, in the trace that the headers name or in a new one. */
  receive(name: string, headers: TraceHeaders): Span;
}
