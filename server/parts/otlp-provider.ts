/** Makes the tracer provider that sends spans to a collector over OTLP. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingSettings } from './tracing-file.js';

const million = 1_000_000;

/**
 * Returns the provider. As in the reference, an incoming trace keeps its sampling decision; the rate only applies to
 * new traces.
 */
export function otlpProvider(
  { endpoint, samplingRatePerMillion: rate }: TracingSettings,
  version: string,
): TracerProvider {
  const root = rate > 0 ? new TraceIdRatioBasedSampler(rate / million) : new AlwaysOffSampler();
  const exporter = new OTLPTraceExporter({ url: endpoint.startsWith('unix:') ? endpoint : `http://${endpoint}` });
  return new TracerProvider({
    sampler: new ParentBasedSampler({ root }),
    resource: resourceFromAttributes({ 'service.name': 'apiserver', 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
}
