/** Deletes finished jobs with their pods after the time in their specs. */
import { type ApiObjectLike, createResourceClient, defineResource } from '../client/index.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/** The fields of a Job about its end. */
export interface EndingJob extends ApiObjectLike {
  spec?: { ttlSecondsAfterFinished?: number };
  status?: { conditions?: { type: string; status: string; lastTransitionTime?: string }[] };
}

const jobs = defineResource<EndingJob>()({
  group: 'batch',
  version: 'v1',
  plural: 'jobs',
  kind: 'Job',
  scope: 'Namespaced',
  subresources: [],
} as const);

/** Defines the controller. A key is the key of a job. */
export const ttlAfterFinished = defineController({
  name: 'ttl-after-finished',
  watches: [watch(jobs)],
  workers: 5,
  async reconcile(key, { client, cacheOf, clock, queue, signal }) {
    const known = cacheOf(jobs).get(key);
    const left = known && leftMs(known, clock.wallMs());
    if (known === undefined || left === undefined) return;
    if (left > 0) {
      queue.addAfter(key, left);
      return;
    }
    const { name = '', namespace = '' } = known.metadata;
    const beside = createResourceClient(jobs, client).in(namespace);
    // A client may have prolonged the time, and the cache may be late.
    const found = await beside.get(name, { signal }).catch(ignoreNotFound);
    const stillLeft = found && leftMs(found, clock.wallMs());
    if (found === undefined || stillLeft === undefined) return;
    if (stillLeft > 0) {
      queue.addAfter(key, stillLeft);
      return;
    }
    const { uid, resourceVersion } = found.metadata;
    const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
    await beside.delete(name, { propagationPolicy: 'Foreground', preconditions, signal }).catch(ignoreNotFound);
  },
});

/** Returns how long a job stays, milliseconds; `undefined` if it stays forever, or is being deleted. */
export function leftMs({ metadata, spec, status }: EndingJob, nowMs: number): number | undefined {
  const seconds = spec?.ttlSecondsAfterFinished;
  if (seconds === undefined || metadata.deletionTimestamp !== undefined) return undefined;
  const finished = status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  const since = Date.parse(finished?.lastTransitionTime ?? '');
  return Number.isNaN(since) ? undefined : since + seconds * 1000 - nowMs;
}
