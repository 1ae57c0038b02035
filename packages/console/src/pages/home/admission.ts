/** The durations of admission, for the home page. */
import {
  casesOf,
  type Histogram,
  histogramsOf,
  type Quantiles,
  quantilesOf,
  sumOfHistograms,
} from '../../metrics/histogram.js';
import type { Sample, Samples } from '../../metrics/parse.js';

/** A step of admission, or one webhook. */
export interface AdmissionRow extends Quantiles {
  readonly name: string;
  readonly calls: number;
  readonly refused: number;
}

const steps: Readonly<Record<string, string>> = { admit: 'Mutating', validate: 'Validating' };

/** Returns the steps and the webhooks that were called since the server started. */
export const admissionRows = (samples: Samples): readonly AdmissionRow[] => [
  ...rowsOf(samples, 'apiserver_admission_step_admission_duration_seconds', ({ labels }) => steps[labels.type ?? '']),
  ...rowsOf(samples, 'apiserver_admission_webhook_admission_duration_seconds', ({ labels }) => labels.name),
];

function rowsOf(samples: Samples, metric: string, nameOf: (sample: Sample) => string | undefined): AdmissionRow[] {
  const all = histogramsOf(samples, metric, nameOf);
  const refused = histogramsOf(samples, metric, (sample) =>
    sample.labels.rejected === 'true' ? nameOf(sample) : undefined,
  );
  return [...all]
    .map(([name, histogram]) => ({
      name,
      calls: casesOf(histogram),
      refused: casesOf(refused.get(name) ?? new Map()),
      ...quantilesOf(histogram),
    }))
    .filter(({ calls }) => calls > 0)
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Returns the time that the store takes to make a change durable. */
export function commitTimes(samples: Samples): Quantiles | undefined {
  const own = histogramsOf(samples, 'kindforge_storage_commit_duration_seconds', () => '');
  const etcd = histogramsOf(samples, 'etcd_request_duration_seconds', ({ labels }) =>
    /^(create|update|delete)$/.test(labels.operation ?? '') ? '' : undefined,
  );
  const found: Histogram = sumOfHistograms([...(own.size > 0 ? own : etcd).values()]);
  return casesOf(found) > 0 ? quantilesOf(found) : undefined;
}
