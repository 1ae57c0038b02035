/** The live objects of a resource, for Vue. */
import { type ApiObjectLike, type ObjectSelection, type ObservedClient, observeObjects } from 'kindforge/client';
import { type ComputedRef, computed, type MaybeRefOrGetter, shallowRef, toValue, watchEffect } from 'vue';

/** As `LiveObjects`, in references. */
interface LiveReferences<T> {
  readonly objects: ComputedRef<readonly T[]>;
  readonly ready: ComputedRef<boolean>;
  readonly error: ComputedRef<Error | undefined>;
}

/** Changes with the objects, and with the selection. Watches them until the component is unmounted. */
export function useObjects<T extends ApiObjectLike>(
  client: ObservedClient<T>,
  selection: MaybeRefOrGetter<ObjectSelection> = {},
): LiveReferences<T> {
  const live = shallowRef(observeObjects(client, toValue(selection)).getSnapshot());
  watchEffect((onCleanup) => {
    const stop = observeObjects(client, toValue(selection)).subscribe((next) => {
      live.value = next;
    });
    onCleanup(stop);
  });
  return {
    objects: computed(() => live.value.objects),
    ready: computed(() => live.value.ready),
    error: computed(() => live.value.error),
  };
}
