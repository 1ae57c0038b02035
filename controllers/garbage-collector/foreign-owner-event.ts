/** Writes an Event about an object that names an owner which cannot own it: one in another namespace. */

import {
  type ApiObjectLike,
  type ClientOptions,
  type Clock,
  createResourceClient,
  defineResource,
  type OwnerReference,
} from '../../client/index.js';
import type { Identity } from './graph.js';

interface Event extends ApiObjectLike {
  involvedObject: Partial<Identity>;
  reason: string;
  message: string;
  type: 'Warning';
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

export async function tellForeignOwner(
  dependent: Identity,
  owner: OwnerReference,
  client: ClientOptions,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const { namespace = 'default', name } = dependent;
  const now = `${new Date(clock.wallMs()).toISOString().slice(0, 19)}Z`;
  const reference = `[${owner.apiVersion}/${owner.kind}, namespace: ${dependent.namespace ?? ''}, name: ${owner.name}, uid: ${owner.uid}]`;
  const why =
    dependent.namespace === undefined
      ? 'is namespaced, and cannot own an object of the cluster'
      : `does not exist in namespace "${dependent.namespace}"`;
  const event = {
    metadata: { generateName: `${name}.` },
    involvedObject: { ...dependent },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef ${reference} ${why}`,
    type: 'Warning' as const,
    source: { component: 'garbage-collector-controller' },
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  };
  await createResourceClient(events, client).in(namespace).create(event, { signal });
}
