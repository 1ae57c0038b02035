/** Makes the metrics of a server. */
import type { Naming } from '../runtime/objects/naming.js';
import { Metrics, minorOf, releaseBefore } from '../runtime/server/index.js';
import { OptionError } from './option-error.js';
import type { StartOptions } from './options.js';
import { readProductVersion } from './product-version.js';

type MetricOptions = Pick<StartOptions, 'productVersion' | 'showHiddenMetricsFor'>;

/** Throws an `OptionError` where hidden metrics are asked for of any release but the one before. */
export function openMetrics(options: MetricOptions, naming: Naming): Metrics {
  const { productVersion = readProductVersion(), showHiddenMetricsFor: showHiddenFor } = options;
  const before = releaseBefore(productVersion);
  if (showHiddenFor !== undefined && showHiddenFor !== before) {
    const usable = before === undefined ? 'there is none before this one, so leave it out' : `use ${before}`;
    throw new OptionError(
      (nameOf) => `${nameOf('showHiddenMetricsFor')} ${showHiddenFor} is not the release before; ${usable}`,
    );
  }
  return new Metrics({
    release: minorOf(productVersion),
    prefix: naming.id,
    ...(showHiddenFor === undefined ? {} : { showHiddenFor }),
  });
}
