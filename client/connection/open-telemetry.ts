/** Makes a tracer of `@opentelemetry/api`. The caller passes the module, so that the SDK does not depend on it. */
import type { RequestSpan, RequestTracer, TracedRequest } from './tracing.js';

/** The used part of a span. */
interface OtelSpan {
  setAttribute(name: string, value: string | number): unknown;
  setStatus(status: { code: number; message?: string }): unknown;
  end(): void;
}

/** The used part of `@opentelemetry/api`. The module itself fits. */
export interface OpenTelemetryApi<Context, Span extends OtelSpan> {
  readonly trace: {
    /** Returns the tracer of a library. */
    getTracer(name: string): {
      /** Starts a span as a child of the span in the context. */
      startSpan(
        name: string,
        options: { kind?: number; attributes?: Record<string, string | number> },
        context: Context,
      ): Span;
    };
    /** Returns a context with the span as the active one. */
    setSpan(context: Context, span: Span): Context;
  };
  readonly context: {
    /** Returns the active context. */
    active(): Context;
  };
  readonly propagation: {
    /** Writes the headers that carry the trace. */
    inject(context: Context, carrier: Record<string, string>): void;
  };
}

/** `SpanKind.CLIENT` and `SpanStatusCode.ERROR`. */
const clientKind = 2;
const errorCode = 2;

/**
 * Makes a tracer: `createClient({ tracing: openTelemetry(await import('@opentelemetry/api')) })`. Each request is a
 * span below the active span, with the attributes of the semantic conventions for HTTP clients. Answers of 400 and more
 * are errors.
 */
export const openTelemetry = <Context, Span extends OtelSpan>({
  trace,
  context,
  propagation,
}: OpenTelemetryApi<Context, Span>): RequestTracer => ({
  begin(request) {
    const around = context.active();
    const span = trace
      .getTracer('kindforge/client')
      .startSpan(
        `${request.method} ${request.template}`,
        { kind: clientKind, attributes: attributesOf(request) },
        around,
      );
    const headers: Record<string, string> = {};
    propagation.inject(trace.setSpan(around, span), headers);
    return { headers, ...endings(span) };
  },
});

const attributesOf = ({ method, path, template }: TracedRequest): Record<string, string> => {
  const [plain = '', query] = path.split('?');
  return {
    'http.request.method': method,
    'url.path': plain,
    'url.template': template,
    ...(query === undefined ? {} : { 'url.query': query }),
  };
};

const endings = (span: OtelSpan): Omit<RequestSpan, 'headers'> => ({
  answered(status) {
    span.setAttribute('http.response.status_code', status);
    if (status < 400) return;
    span.setAttribute('error.type', String(status));
    span.setStatus({ code: errorCode });
  },
  end(error) {
    if (error !== undefined) {
      const message = error instanceof Error ? error.message : String(error);
      span.setAttribute('error.type', error instanceof Error ? error.name : '_OTHER');
      span.setStatus({ code: errorCode, message });
    }
    span.end();
  },
});
