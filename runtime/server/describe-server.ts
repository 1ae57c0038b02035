/** Tells metrics what runs: the release, and which gates are on. */
import { type Metrics, metricTable } from '../metrics/index.js';
import { gateStages } from '../registry/settings/gate-stages.js';
import type { ServerOptions } from './server-options.js';

type Described = Pick<ServerOptions, 'productVersion' | 'modules'>;

export function describeServer(
  metrics: Metrics,
  { productVersion, modules }: Described,
  featureEnabled: (gate: string) => boolean,
): void {
  const { build, features } = metricTable.server.metrics;
  const [major = '', minor = ''] = productVersion.split('.');
  const platform = `${process.platform}/${process.arch}`;
  metrics.number(build).with(`v${productVersion}`, major, minor, process.version, platform).value = 1;
  const byGate = metrics.number(features);
  for (const [gate, stage] of gateStages(modules)) {
    byGate.with(gate, stage === 'ga' ? '' : stage.toUpperCase()).value = featureEnabled(gate) ? 1 : 0;
  }
}
