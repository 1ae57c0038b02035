/** Shared by all plugins that ask webhooks: posting a review, caching answers, joining calls, reading a status. */
import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../runtime/contract/index.js';
import { isObject, objectAt, stringAt } from '../runtime/objects/guards.js';

/** Posts a review and returns the answer, or why there is none. Never rejects. */
export type PostReview = (body: string) => Promise<
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      readonly problem: string;
      /** Whether no answer came in time. */
      readonly isLate?: boolean;
    }
>;

/**
 * Creates a cache of up to `max` answers, each kept for the `ttl` (milliseconds, above 0) that it is set with. `clock`
 * returns milliseconds since a fixed time, above 0.
 */
export const answerCache = <T extends object>(max: number, clock: () => number): LRUCache<string, T> =>
  new LRUCache({ max, ttlResolution: 0, perf: { now: clock } });

/** Calls in flight, by what they ask. The same question at the same time is asked once. */
export class CallsInFlight<T> {
  readonly #calls = new Map<string, Promise<T>>();

  get size(): number {
    return this.#calls.size;
  }

  /** Returns the answer of the call in flight for this key, or starts the call. */
  share(key: string, call: () => Promise<T>): Promise<T> {
    const known = this.#calls.get(key);
    if (known) return known;
    const made = call().finally(() => this.#calls.delete(key));
    this.#calls.set(key, made);
    return made;
  }
}

/** The status of a review (`undefined` if it has none), or why the answer cannot be used. */
type ReviewStatus =
  | { readonly ok: true; readonly status: JsonObject | undefined }
  | { readonly ok: false; readonly problem: string };

/** Reads the status of an answer, which must be a review of the kind and version that was sent. */
export function readStatus(text: string, kind: string, apiVersion: string): ReviewStatus {
  const answer = parse(text);
  if (!isObject(answer)) return { ok: false, problem: 'the webhook does not answer with JSON' };
  const [saidKind, version] = [stringAt(answer, 'kind'), stringAt(answer, 'apiVersion')];
  if (saidKind === kind && version === apiVersion) return { ok: true, status: objectAt(answer, 'status') };
  const said = `${version || 'no version'} ${saidKind || 'of no kind'}`;
  return { ok: false, problem: `the webhook answers with ${said}, not with ${apiVersion}` };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
