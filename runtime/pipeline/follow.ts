/** Follows all objects of a resource from memory, for parts of the server that depend on them. */
import type { ObjectSink, StoreEvent, Subscription } from '../contract/index.js';
import { followEntries } from './follow-entries.js';
import type { ServedResource } from './served-resource.js';
import { sharedObjectOf } from './versions/shared-object.js';
import type { PipelineServices } from './write.js';

/**
 * Tells the sink of all objects before it returns, and of every change from then on, in order. Where the store gets
 * another state as a whole, the sink keeps what it was told until that state is there, and is then reset and told of
 * it. A resource that is not there has no objects.
 */
export function followObjects(
  { store, resource: find }: Pick<PipelineServices, 'store' | 'resource'>,
  group: string,
  plural: string,
  sink: ObjectSink,
): Subscription {
  const resource = find(group, plural);
  if (!resource) return { stop() {} };
  return followEntries(store, resource.keyPrefix, {
    began(entries) {
      sink.reset();
      for (const entry of entries) sink.changed(sharedObjectOf(resource, entry));
    },
    event: (event) => tell(resource, sink, event),
  });
}

function tell(resource: ServedResource, sink: ObjectSink, { type, entry }: StoreEvent): void {
  if (type === 'DELETED') {
    const parts = entry.key.slice(resource.keyPrefix.length).split('/');
    sink.removed(parts.length > 1 ? (parts[0] ?? '') : '', parts.at(-1) ?? '');
  } else {
    sink.changed(sharedObjectOf(resource, entry));
  }
}
