/** Follows all objects of a resource from memory, for parts of the server that depend on them. */
import type { Entry, ObjectSink, StoreEvent, Subscription } from '../contract/index.js';
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
  const inOrder = new ReadableInOrder(resource);
  const following = followEntries(store, resource.keyPrefix, {
    began: (entries) =>
      inOrder.tell(entries, () => {
        sink.reset();
        for (const entry of entries) sink.changed(sharedObjectOf(resource, entry));
      }),
    event: (event) => inOrder.tell([event.entry], () => tell(resource, sink, event)),
  });
  return {
    stop() {
      inOrder.stop();
      following.stop();
    },
  };
}

/**
 * Tells at once what can be read at once. To read an object that an earlier version has written may need code that is not
 * loaded, where another server over the same store has written it just now; then this and all that follows wait for it.
 */
class ReadableInOrder {
  readonly #resource: ServedResource;
  #waiting: Promise<void> | undefined;
  #stopped = false;

  constructor(resource: ServedResource) {
    this.#resource = resource;
  }

  tell(entries: readonly Entry[], telling: () => void): void {
    const isOutdated = entries.some(({ outdated }) => outdated !== undefined);
    const loading = this.#waiting ?? (isOutdated ? this.#resource.ready() : undefined);
    if (!loading) {
      telling();
      return;
    }
    const told = loading.then(() => {
      if (this.#waiting === told) this.#waiting = undefined;
      if (!this.#stopped) telling();
    });
    this.#waiting = told;
  }

  stop(): void {
    this.#stopped = true;
  }
}

function tell(resource: ServedResource, sink: ObjectSink, { type, entry }: StoreEvent): void {
  if (type === 'DELETED') {
    const parts = entry.key.slice(resource.keyPrefix.length).split('/');
    sink.removed(parts.length > 1 ? (parts[0] ?? '') : '', parts.at(-1) ?? '');
  } else {
    sink.changed(sharedObjectOf(resource, entry));
  }
}
