/** Opens the way of traces to a collector that takes OTLP over gRPC. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import type { Tracer } from '../../runtime/contract/index.js';
import { OptionError } from '../option-error.js';
import { withPackages } from '../optional-packages.js';
import { readProductVersion } from '../product-version.js';
import { defineTracer } from './tracer.js';
import { readTracingFile, type TracingSettings } from './tracing-file.js';
import type { TracingOption } from './tracing-option.js';

export interface OpenedTracing {
  readonly tracer: Tracer;
  /** Sends what has not been sent, and takes no more. */
  readonly close: () => Promise<void>;
}

const packages = ['@opentelemetry/exporter-trace-otlp-grpc', '@opentelemetry/resources', '@opentelemetry/sdk-trace'];

/** Rejects with an `OptionError` where the file cannot be used. Without a collector spans are lost, which is no error. */
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
