/** Connects traces to a collector that accepts OTLP over gRPC. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  createTraceState,
  SpanKind as Kinds,
  type Span as OtelSpan,
  type Tracer as OtelTracer,
  ROOT_CONTEXT,
  type SpanContext,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import type { Span, SpanKind, TraceHeaders, Tracer } from '../../runtime/contract/index.js';
import { findSpans, inSpan } from '../../runtime/objects/tracing.js';
import { readProductVersion } from '../kinds.js';
import { fileError, OptionError, withPackages } from '../option-error.js';
import { readTracingFile, type TracingOption, type TracingSettings } from './tracing-file.js';

export interface OpenedTracing {
  readonly tracer: Tracer;
  /** Sends all pending spans, and stops. */
  readonly close: () => Promise<void>;
}

const packages = ['@opentelemetry/exporter-trace-otlp-grpc', '@opentelemetry/resources', '@opentelemetry/sdk-trace'];

/**
 * Rejects with an `OptionError` if the file cannot be used. If the collector does not answer, its spans are lost
 * without a message.
 */
export async function openTracing(option: TracingOption, version = readProductVersion()): Promise<OpenedTracing> {
  if ('tracerProvider' in option) {
    return { tracer: defineTracer(option.tracerProvider.getTracer('kindforge', version)), close: async () => {} };
  }
  const settings = readSettings(option.configFile);
  const part = { option: 'tracing.configFile', value: option.configFile, packages } as const;
  const { otlpProvider } = await withPackages(part, () => import('./otlp-provider.js'));
  const provider = otlpProvider(settings, version);
  return { tracer: defineTracer(provider.getTracer('kindforge', version)), close: () => closing(provider) };
}

/** The longest wait for a collector at the end, in milliseconds. */
const closingMs = 3000;

async function closing(provider: TracerProvider): Promise<void> {
  const late = new AbortController();
  const waiting = sleep(closingMs, undefined, { signal: late.signal }).catch(() => {});
  await Promise.race([provider.shutdown().catch(() => {}), waiting]);
  late.abort();
}

function readSettings(file: string): TracingSettings {
  const read = readTracingFile(file, readText(file));
  if (read.ok) return read.settings;
  throw fileError('tracing.configFile', read.problems);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new OptionError((nameOf) => `${nameOf('tracing.configFile')} ${file}: ${problem}`, { cause: error });
  }
}

const kinds: Readonly<Record<SpanKind, Kinds>> = { internal: Kinds.INTERNAL, client: Kinds.CLIENT };

/** The storage of the current span. All servers of a process share it, because each request has its own context. */
const current = new AsyncLocalStorage<Span>();

function defineTracer(otel: OtelTracer): Tracer {
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

/** Version, trace, span and flags. Later versions may have more after them (section 3.2). */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const nothing = /^0+$/;
const sampled = 1;

/**
 * Returns the span that headers name. Returns `undefined`, to begin a new trace, if they name none or are malformed.
 */
export function readTraceHeaders({ traceparent = '', tracestate = '' }: TraceHeaders): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = form.exec(traceparent.trim()) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (nothing.test(traceId) || nothing.test(spanId)) return undefined;
  const traceFlags = Number.parseInt(flags, 16) & sampled;
  const state = tracestate === '' ? {} : { traceState: createTraceState(tracestate) };
  return { traceId, spanId, traceFlags, isRemote: true, ...state };
}

/** Returns the headers that name a span. */
export function traceHeadersOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceHeaders {
  const flags = traceFlags.toString(16).padStart(2, '0');
  const state = traceState?.serialize() ?? '';
  return { traceparent: `00-${traceId}-${spanId}-${flags}`, ...(state === '' ? {} : { tracestate: state }) };
}

/**
 * Returns a `fetch` that makes a span below the current one for each call. With a tracer, each call is a separate
 * trace, because it serves many requests.
 */
export function tracedFetch(plain: typeof fetch, apart: Tracer | undefined): typeof fetch {
  const call = async (span: Span | undefined, ...[where, how]: Parameters<typeof fetch>): Promise<Response> => {
    const headers = new Headers(how?.headers);
    for (const [name, value] of Object.entries(span?.headers ?? {})) headers.set(name, value);
    const answer = await plain(where, { ...how, headers });
    if (!answer.ok) span?.fail(`the answer is ${answer.status}`);
    return answer;
  };
  return async (where, how) => {
    const run = (): Promise<Response> =>
      Promise.resolve(inSpan('Audit webhook', (span) => call(span, where, how), { kind: 'client' }));
    if (!apart) return run();
    const batch = apart.receive('Audit batch', {});
    return batch.within(run).finally(() => batch.end());
  };
}
