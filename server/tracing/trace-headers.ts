/** Reads and writes the headers of W3C Trace Context, by which a trace goes from program to program. */
import { createTraceState, type SpanContext } from '@opentelemetry/api';
import type { TraceHeaders } from '../../runtime/contract/index.js';

/** Version, trace, span and flags. Later versions may go on with more (section 3.2). */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const nothing = /^0+$/;
const sampled = 1;

/** The span that headers name; `undefined` where they name none or are malformed, and a new trace begins. */
export function readTraceHeaders({ traceparent = '', tracestate = '' }: TraceHeaders): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(traceparent.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (nothing.test(traceId) || nothing.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & sampled;
  const state = tracestate === '' ? {} : { traceState: createTraceState(tracestate) };
  return { traceId, spanId, traceFlags, isRemote: true, ...state };
}

/** The headers that name a span. */
export function traceHeadersOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceHeaders {
  const flags = traceFlags.toString(16).padStart(2, '0');
  const state = traceState?.serialize() ?? '';
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state === '' ? {} : { tracestate: state }) };
}
