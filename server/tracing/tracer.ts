/** Makes spans by a tracer of OpenTelemetry. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  SpanKind as Kinds,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { Span, SpanKind, Tracer } from '../../runtime/contract/index.js';
import { findSpans } from '../../runtime/objects/tracing.js';
import { readTraceHeaders, traceHeadersOf } from './trace-headers.js';

const kinds: Readonly<Record<SpanKind, Kinds>> = { internal: Kinds.INTERNAL, client: Kinds.CLIENT };

/** One for all servers of a process: what is kept in it says by itself whose it is. */
const current = new AsyncLocalStorage<Span>();

export function defineTracer(otel: OtelTracer): Tracer {
  findSpans(() => current.getStore());
  return {
    receive(name, headers) {
      const from = readTraceHeaders(headers);
      const above = from ? trace.setSpanContext(ROOT_CONTEXT, from) : ROOT_CONTEXT;
      return spanOf(otel, otel.startSpan(name, { kind: Kinds.SERVER }, above), above);
    },
  };
}

function spanOf(otel: OtelTracer, own: OtelSpan, above: Context): Span {
  const span: Span = {
    headers: traceHeadersOf(own.spanContext()),
    begin(name, { kind = 'internal', attributes = {}, beganMsAgo } = {}) {
      const context = trace.setSpan(above, own);
      const began = beganMsAgo === undefined ? {} : { startTime: Date.now() - beganMsAgo };
      return spanOf(otel, otel.startSpan(name, { kind: kinds[kind], attributes, ...began }, context), context);
    },
    within: (run) => current.run(span, run),
    rename: (name) => void own.updateName(name),
    set: (attributes) => void own.setAttributes(attributes),
    fail: (message) => void own.setStatus({ code: SpanStatusCode.ERROR, message }),
    end: () => own.end(),
  };
  return span;
}
