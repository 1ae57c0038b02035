/** Opens the way of traces to a collector that takes OTLP over gRPC. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Tracer } from '../../runtime/contract/index.js';
import { OptionError } from '../option-error.js';
import { readProductVersion } from '../product-version.js';
import { defineTracer } from './tracer.js';
import { readTracingFile, type TracingSettings } from './tracing-file.js';
import type { TracingOption } from './tracing-option.js';

export interface OpenedTracing {
  readonly tracer: Tracer;
  /** Sends what has not been sent, and takes no more. */
  readonly close: () => Promise<void>;
}

/** Throws an `OptionError` where the file cannot be used. Without a collector spans are lost, which is no error. */
export function openTracing(option: TracingOption, version = readProductVersion()): OpenedTracing {
  if ('tracerProvider' in option) {
    return { tracer: defineTracer(option.tracerProvider.getTracer('kindforge', version)), close: async () => {} };
  }
  const provider = providerFor(readSettings(option.configFile), version);
  return { tracer: defineTracer(provider.getTracer('kindforge', version)), close: () => closing(provider) };
}

/** A collector that is not there keeps nobody from stopping. */
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
  throw new OptionError((nameOf) => `${nameOf('tracing.configFile')} ${read.problems.join('\n  ')}`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new OptionError((nameOf) => `${nameOf('tracing.configFile')} ${file}: ${problem}`, { cause: error });
  }
}

const million = 1_000_000;

/** As in the reference, who sends a trace along decides whether it is recorded; the rate decides about all others. */
function providerFor({ endpoint, samplingRatePerMillion: rate }: TracingSettings, version: string): TracerProvider {
  const root = rate > 0 ? new TraceIdRatioBasedSampler(rate / million) : new AlwaysOffSampler();
  const exporter = new OTLPTraceExporter({ url: endpoint.startsWith('unix:') ? endpoint : `http://${endpoint}` });
  return new TracerProvider({
    sampler: new ParentBasedSampler({ root }),
    resource: resourceFromAttributes({ 'service.name': 'apiserver', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
}
