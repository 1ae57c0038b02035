/** Records events. An event that is repeated counts up. */
import { createHash } from 'node:crypto';
import { type ApiObjectLike, createOrUpdate, createResourceClient, defineResource } from '../../client/index.js';
import type { EventSubject } from '../../runtime/contract/index.js';
import type { ControllerContext } from './define-controller.js';

/** The facts of an event. If all of them are equal, the event is the same one again. */
export interface EventFacts {
  readonly subject: EventSubject;
  /** One word in CamelCase. */
  readonly reason: string;
  readonly message: string;
  readonly type: 'Normal' | 'Warning';
  /** The part of the server that reports it. */
  readonly component: string;
}

interface Event extends ApiObjectLike {
  involvedObject: EventSubject;
  reason: string;
  message: string;
  type: EventFacts['type'];
  source: { component: string };
  firstTimestamp: string;
  lastTimestamp: string;
  count: number;
}

export const events = defineResource<Event>()({
  group: '',
  version: 'v1',
  plural: 'events',
  kind: 'Event',
  scope: 'Namespaced',
  subresources: [],
} as const);

/**
 * Writes an event into the namespace of the object, or into `default` if the object is of the cluster. Never rejects:
 * an event that cannot be written is reported, and not retried.
 */
export async function recordEvent(
  facts: EventFacts,
  { client, clock, signal, onError }: Pick<ControllerContext, 'client' | 'clock' | 'signal' | 'onError'>,
): Promise<void> {
  const { subject, component, ...words } = facts;
  const now = `${new Date(clock.wallMs()).toISOString().slice(0, 19)}Z`;
  const name = `${subject.name}.${hashOf(facts)}`;
  const namespaced = createResourceClient(events, client).in(subject.namespace ?? 'default');
  try {
    await createOrUpdate(
      namespaced,
      name,
      (known) => ({
        metadata: { name },
        involvedObject: { ...subject },
        ...words,
        source: { component },
        firstTimestamp: known?.firstTimestamp ?? now,
        lastTimestamp: now,
        count: (known?.count ?? 0) + 1,
      }),
      { signal, clock },
    );
  } catch (error) {
    if (!signal.aborted) onError(`event about ${subject.kind} ${subject.name}`, error);
  }
}

/** Returns 16 hexadecimal digits, as many as names of events end with in the reference. */
function hashOf({ subject, reason, message, type, component }: EventFacts): string {
  const { apiVersion, kind, namespace, name, uid } = subject;
  const parts = [apiVersion, kind, namespace, name, uid, reason, message, type, component];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
