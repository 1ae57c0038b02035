/** Follows the objects of a resource from memory, for parts of the server that hang on all of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectSink, StoreEvent, Subscription } from '../contract/index.js';
import type { ServedResource } from './served-resource.js';
import { sharedObjectOf } from './shared-object.js';
import type { PipelineServices } from './write.js';

/** Pause before a store that is between two states is asked again, milliseconds. */
const retryMs = 100;

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
  let watch: Subscription | undefined;
  let stopped = false;
  const begin = (): boolean => {
    const listed = store.list(resource.keyPrefix);
    if (typeof listed === 'string') return false;
    sink.reset();
    for (const entry of listed.entries) sink.changed(sharedObjectOf(resource, entry));
    const begun = store.watch(resource.keyPrefix, listed.revision, {
      event: (event) => tell(resource, sink, event),
      ended: (reason) => {
        if (reason === 'compacted') void beginAgain();
      },
    });
    if (typeof begun === 'string') return false;
    watch = begun;
    return true;
  };
  const beginAgain = async (): Promise<void> => {
    while (!stopped && ((await store.confirm()) !== undefined || !begin())) {
      await sleep(retryMs, undefined, { ref: false });
    }
  };
  if (!begin()) void beginAgain();
  return {
    stop() {
      stopped = true;
      watch?.stop();
    },
  };
}

function tell(resource: ServedResource, sink: ObjectSink, { type, entry }: StoreEvent): void {
  if (type === 'DELETED') {
    const parts = entry.key.slice(resource.keyPrefix.length).split('/');
    sink.removed(parts.length > 1 ? (parts[0] ?? '') : '', parts.at(-1) ?? '');
  } else {
    sink.changed(sharedObjectOf(resource, entry));
  }
}
