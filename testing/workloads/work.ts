/** The functions for the work on one workload. */
import type { ApiObjectLike, ClientOptions, Clock, MergePatch, SubresourceClient } from '../../client/index.js';
import { ignoreNotFound } from '../../controllers/kit/ignore-not-found.js';
import { isSame } from './canonical.js';

export interface Work {
  readonly namespace: string;
  readonly name: string;
  readonly client: ClientOptions;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Returns the served name for a name of the platform. */
  readonly rename: (platformName: string) => string;
  /** Queues the object again after this many milliseconds. */
  readonly again: (ms: number) => void;
}

export type Reconcile = (work: Work) => Promise<void>;

interface WithStatus<S> extends ApiObjectLike {
  status?: S;
}

/** Writes a status if it has changed. If somebody else has written it in the meantime, rejects with a conflict. */
export async function writeStatus<S extends object>(
  statuses: Pick<SubresourceClient<WithStatus<S>, unknown>, 'patch'>,
  object: WithStatus<S>,
  status: S,
  { signal }: Work,
): Promise<void> {
  const { name = '', resourceVersion = '' } = object.metadata;
  if (isSame(told(status), told(object.status ?? {}))) return;
  const change = { metadata: { resourceVersion }, status: cleared(object.status ?? {}, status) };
  await statuses.patch(name, change as MergePatch<WithStatus<S>>, { signal }).catch(ignoreNotFound);
}

/** Returns the fields with a value: a server may leave out fields that are 0 or empty. */
const told = (status: object): object =>
  Object.fromEntries(
    Object.entries(status).filter(([, value]) => value !== 0 && !(Array.isArray(value) && value.length === 0)),
  );

/** Returns a merge patch that also removes fields. */
const cleared = (before: object, after: object): object => ({
  ...Object.fromEntries(Object.keys(before).map((field) => [field, null])),
  ...after,
});
