/** Reads the metrics of the server every two seconds, while the page is visible. */
import { type DynamicApi, isForbidden } from 'kindforge/client';
import { connection } from '../data/connection.svelte.js';
import { parseMetrics, type Samples } from './parse.js';
import { isRestart, type Look, lookOf, type Point, pointOf, wantedMetrics } from './readings.js';
import { repeat } from './repeat.js';

const everyMs = 2_000;
/** The first readings come sooner, so that the charts soon have a line. */
const soonMs = 500;
/** Rights change seldom. */
const forbiddenMs = 30_000;
/** How much of the past to keep. */
const keptMs = 5 * 60_000;

export class Sampler {
  points: readonly Point[] = $state.raw([]);
  /** Two readings of the same run of the server: the first of the last five minutes, and the latest. */
  looks: readonly Look[] = $state.raw([]);
  latest: Samples | undefined = $state.raw(undefined);
  error: unknown = $state.raw(undefined);
  readonly #client: DynamicApi;

  constructor(client: DynamicApi) {
    this.#client = client;
  }

  /** Starts reading. The returned function ends it. */
  start(): () => void {
    return repeat(
      (signal) => this.#look(signal),
      () => document.hidden,
    );
  }

  async #look(signal: AbortSignal): Promise<number> {
    try {
      const samples = parseMetrics(await this.#client.text('/metrics', { signal }), wantedMetrics);
      this.#take(lookOf(Date.now(), samples));
      this.latest = samples;
      this.error = undefined;
      connection.report(undefined);
    } catch (error) {
      if (signal.aborted) return everyMs;
      this.error = error;
      connection.report(error);
    }
    if (isForbidden(this.error)) return forbiddenMs;
    return this.points.length < 3 ? soonMs : everyMs;
  }

  #take(look: Look): void {
    const before = this.looks.at(-1);
    const from = look.at - keptMs;
    if (before) this.points = [...this.points.filter(({ at }) => at * 1000 >= from), pointOf(before, look)];
    const same = before && isRestart(before, look) ? [] : this.looks.filter(({ at }) => at >= from);
    this.looks = [...same, look];
  }
}
