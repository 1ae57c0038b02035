/** Records events about objects, as `kubectl describe` shows them. */
import { formatTime } from '../runtime/objects/scan/time.js';
import { tokenBucket } from '../runtime/objects/token-bucket.js';
import { type Clock, systemClock } from './clock.js';
import { type ClientOptions, createResourceClient } from './create-client.js';
import { defineResource } from './descriptor.js';
import { isNotFound } from './errors.js';
import type { RequestOptions } from './resource/options.js';
import type { ApiObjectLike } from './types.js';

/** An event to record. */
export interface NewEvent {
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  /** For people. */
  readonly message: string;
  /** Default: `Normal`. */
  readonly type?: 'Normal' | 'Warning';
}

/** Records an event about an object. Rejects if the server refuses it. */
export type RecordEvent = (object: ApiObjectLike, event: NewEvent, options?: RequestOptions) => Promise<void>;

export interface EventRecorderOptions {
  /** The program or controller that the events are from. */
  readonly component: string;
  readonly clock?: Clock;
}

/** An Event of the core group, as far as it is written here. */
interface Event extends ApiObjectLike {
  involvedObject: Record<string, string | undefined>;
  reason: string;
  message: string;
  type: 'Normal' | 'Warning';
  source: { component: string };
  firstTimestamp: string;
  lastTimestamp: string;
  count: number;
}

const events = defineResource<Event>()({
  group: '',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  scope: 'Namespaced',
  subresources: [],
} as const);

/** How many events an object may have at once, and over time: one in five minutes, as in client-go. */
const spamLimit = { burst: 25, perSecond: 1 / 300 };

/** The most events and objects that are remembered. The oldest is dropped first. */
const mostKnown = 4096;

/**
 * Returns a function that records events. An event that it has recorded before counts one up, and an object with more
 * than 25 events at once, and one in five minutes after that, gets no more.
 */
export function eventRecorder(
  client: ClientOptions,
  { component, clock = systemClock }: EventRecorderOptions,
): RecordEvent {
  const all = createResourceClient(events, client);
  const budgets = new Remembered<() => number>();
  const known = new Remembered<{ readonly name: string; count: number }>();
  return async (object, { reason, message, type = 'Normal' }, options) => {
    const { name = '', namespace, uid, resourceVersion } = object.metadata;
    const about = uid ?? `${object.kind}/${namespace}/${name}`;
    const budget = budgets.get(about) ?? tokenBucket(spamLimit, () => clock.monotonicMs());
    budgets.put(about, budget);
    if (budget() > 0) return;
    // An event about an object of the cluster is in this namespace.
    const place = all.in(namespace ?? 'default');
    const now = formatTime(clock.wallMs());
    const key = JSON.stringify([about, type, reason, message]);
    const before = known.get(key);
    if (before !== undefined) {
      const change = { count: ++before.count, lastTimestamp: now };
      const isCounted = await place.patch(before.name, change, options).then(() => true, ifGone);
      if (isCounted) return;
    }
    const { metadata } = await place.create(
      {
        metadata: { generateName: `${name}.` },
        involvedObject: { apiVersion: object.apiVersion, kind: object.kind, name, namespace, uid, resourceVersion },
        reason,
        message,
        type,
        source: { component },
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      },
      options,
    );
    known.put(key, { name: metadata.name ?? '', count: 1 });
  };
}

/** Returns `false` if an event has expired, and throws any other error again. */
function ifGone(error: unknown): false {
  if (!isNotFound(error)) throw error;
  return false;
}

/** A map that forgets what was put first once it is full. */
class Remembered<V> {
  readonly #values = new Map<string, V>();

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  put(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > mostKnown && oldest !== undefined) this.#values.delete(oldest);
  }
}
