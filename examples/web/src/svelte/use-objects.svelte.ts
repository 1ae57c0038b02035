/** The live objects of a resource, for Svelte. */
import {
  type ApiObjectLike,
  type LiveObjects,
  type ObjectSelection,
  type ObservedClient,
  observeObjects,
} from 'kindforge/client';
import { fromStore } from 'svelte/store';

/** Changes with the objects, and with the selection. Watches them while a component shows them. */
export function useObjects<T extends ApiObjectLike>(
  client: ObservedClient<T>,
  selection: () => ObjectSelection = () => ({}),
): LiveObjects<T> {
  const live = $derived(fromStore(observeObjects(client, selection())));
  return {
    get objects() {
      return live.current.objects;
    },
    get ready() {
      return live.current.ready;
    },
    get error() {
      return live.current.error;
    },
  };
}
