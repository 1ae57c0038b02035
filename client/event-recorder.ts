/** Records events about objects, as `kubectl describe` shows them. */
import { formatTime } from '../runtime/objects/scan/time.js';
import { tokenBucket } from '../runtime/objects/token-bucket.js';
import { type Clock, systemClock } from './clock.js';
import { type ClientOptions, createResourceClient } from './create-client.js';
import { defineResource } from './descriptor.js';
import { createOrUpdate } from './modify.js';
import type { RequestOptions } from './resource/options.js';
import { shortHash } from './short-hash.js';
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
  /** The program or controller that records the events. */
  readonly component: string;
  readonly clock?: Clock;
}

/** The fields of a core Event that are written here. */
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

/** How many events one object may have in a burst, and over time: one in five minutes, as in client-go. */
const spamLimit = { burst: 25, perSecond: 1 / 300 };

/** The most objects with a budget of events. The oldest object is dropped first. */
const mostKnown = 4096;

/** The characters of an object's name in the name of its event. A name has at most 253, and the hash takes 11. */
const longestName = 242;

/**
 * Returns a function that records events. If the same event was recorded before, even by another process, increments
 * its count. After a burst of 25 events, an object gets one more event in five minutes.
 */
export function eventRecorder(
  client: ClientOptions,
  { component, clock = systemClock }: EventRecorderOptions,
): RecordEvent {
  const all = createResourceClient(events, client);
  const budgets = new Map<string, () => number>();
  return async (object, { reason, message, type = 'Normal' }, options) => {
    const { apiVersion, kind } = object;
    const { name = '', namespace, uid, resourceVersion } = object.metadata;
    const about = JSON.stringify([apiVersion, kind, namespace, name, uid]);
    if (!mayRecord(about, budgets, clock)) return;
    const now = formatTime(clock.wallMs());
    const hash = shortHash(JSON.stringify([about, type, reason, message, component]));
    await createOrUpdate(
      // Events about cluster-scoped objects are in this namespace.
      all.in(namespace ?? 'default'),
      `${name.slice(0, longestName)}.${hash}`,
      (known) => ({
        metadata: {},
        involvedObject: { apiVersion, kind, name, namespace, uid, resourceVersion },
        reason,
        message,
        type,
        source: { component },
        firstTimestamp: known?.firstTimestamp ?? now,
        lastTimestamp: now,
        count: (known?.count ?? 0) + 1,
      }),
      { ...options, clock },
    );
  };
}

/** Returns whether an object may have another event, and counts it. */
function mayRecord(about: string, budgets: Map<string, () => number>, clock: Clock): boolean {
  const budget = budgets.get(about) ?? tokenBucket(spamLimit, () => clock.monotonicMs());
  budgets.delete(about);
  budgets.set(about, budget);
  const [oldest] = budgets.keys();
  if (budgets.size > mostKnown && oldest !== undefined) budgets.delete(oldest);
  return budget() === 0;
}
