/** Records an event when calls to a webhook or an identity provider stop, and when they resume. */

import type { NewEvent } from '../client/index.js';
import type { EventSubject } from '../runtime/contract/index.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';

/** The circuit breaker of a target has opened, so that calls stop, or has closed. */
export interface WebhookChange {
  readonly state: 'open' | 'closed';
  readonly message: string;
  /** The objects that name the target; none if only options of the server name it. */
  readonly subjects: readonly EventSubject[];
}

/** Calls a function with each change, until the returned function is called. */
export type FollowWebhooks = (onChange: (change: WebhookChange) => void) => () => void;

/** The server as an object: its Service. Events about targets from options are about this object. */
const ownService: EventSubject = { apiVersion: 'v1', kind: 'Service', namespace: 'default', name: 'kubernetes' };

/** Defines the controller, for servers with events. Calls to webhooks never wait for an event. */
export const defineWebhookEvents = (follow: FollowWebhooks): Controller =>
  defineController({
    name: 'webhook-events',
    component: 'apiserver',
    watches: [],
    reconcile: async () => {},
    beside: (context) =>
      new Promise((resolve) => {
        const unfollow = follow((change) => {
          for (const { apiVersion, kind, ...metadata } of distinct(change.subjects))
            void context.recordEvent({ apiVersion, kind, metadata }, eventOf(change));
        });
        const stop = (): void => {
          unfollow();
          resolve();
        };
        if (context.signal.aborted) stop();
        else context.signal.addEventListener('abort', stop, { once: true });
      }),
  });

const eventOf = ({ state, message }: WebhookChange): NewEvent =>
  state === 'open'
    ? { message, reason: 'WebhookCircuitOpen', type: 'Warning' }
    : { message, reason: 'WebhookCircuitClosed' };

/** Returns each object once, because several webhooks of a configuration may have the same target. */
function distinct(subjects: readonly EventSubject[]): Iterable<EventSubject> {
  if (subjects.length === 0) return [ownService];
  return new Map(subjects.map((subject) => [JSON.stringify(subject), subject])).values();
}
