/** The live objects of a resource, for React. */
import {
  type ApiObjectLike,
  type LiveObjects,
  type ObjectSelection,
  type ObservedClient,
  observeObjects,
} from 'kindforge/client';
import { useSyncExternalStore } from 'react';

/** Renders again after each change of the objects. Watches them while a component shows them. */
export function useObjects<T extends ApiObjectLike>(
  client: ObservedClient<T>,
  selection?: ObjectSelection,
): LiveObjects<T> {
  const { subscribe, getSnapshot } = observeObjects(client, selection);
  return useSyncExternalStore(subscribe, getSnapshot, getSnapshot);
}
