/** Describes the metrics of the server and its storage in words. */
import { ageOf } from '../../design/time.js';
import { bytesText, countText, round, secondsText } from '../../metrics/amounts.js';
import type { Samples } from '../../metrics/parse.js';
import { type Point, sumOf } from '../../metrics/readings.js';
import { commitTimes } from './admission.js';

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Returns the facts about the server. `now` is in milliseconds since 1970. */
export function serverFacts(
  version: string | undefined,
  samples: Samples | undefined,
  latest: Point | undefined,
  now: number,
): readonly Fact[] {
  const of = sumIn(samples);
  const started = of('process_start_time_seconds');
  return known([
    ['Version', version],
    ['Runs for', textOf(started, (seconds) => ageOf(new Date(seconds * 1000).toISOString(), now))],
    ['Processor', textOf(latest?.cpu, (busy) => `${round(busy * 100)} %`)],
    ['Memory', textOf(latest?.memory, bytesText)],
    ['Objects', textOf(of('apiserver_storage_objects'), countText)],
    ['Audit records', textOf(of('apiserver_audit_event_total'), countText)],
  ]);
}

/** Returns the facts about the storage. */
export function storageFacts(samples: Samples): readonly Fact[] {
  const of = sumIn(samples);
  const commits = commitTimes(samples);
  return known([
    ['Objects', textOf(of('kindforge_storage_object_bytes'), bytesText)],
    [
      'Database',
      textOf(of('apiserver_storage_size_bytes') ?? of('apiserver_storage_db_total_size_in_bytes'), bytesText),
    ],
    ['History', textOf(of('kindforge_storage_history_bytes'), bytesText)],
    ['Revision', textOf(of('kindforge_storage_revision'), countText)],
    ['Oldest revision', textOf(of('kindforge_storage_history_oldest_revision'), countText)],
    ['Commit p50', textOf(commits?.p50, secondsText)],
    ['Commit p99', textOf(commits?.p99, secondsText)],
  ]);
}

const sumIn =
  (samples: Samples | undefined) =>
  (name: string): number | undefined =>
    samples && sumOf(samples, name);

const known = (facts: readonly (readonly [label: string, value: string | undefined])[]): readonly Fact[] =>
  facts.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));

const textOf = (value: number | undefined, write: (value: number) => string): string | undefined =>
  value === undefined ? undefined : write(value);
