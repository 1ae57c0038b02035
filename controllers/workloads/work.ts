/** One object of a workload that is to be brought to what it wants, and the means for that. */
import type { ApiObjectLike, ClientOptions, Clock, MergePatch, SubresourceClient } from '../../client/index.js';
import { ignoreNotFound } from '../kit/ignore-not-found.js';
import { isSame } from './canonical.js';

export interface Work {
  readonly namespace: string;
  readonly name: string;
  readonly client: ClientOptions;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** A name of the platform as the server has it. */
  readonly rename: (platformName: string) => string;
  /** Has the object looked at again after some milliseconds. */
  readonly again: (ms: number) => void;
}

export type Reconcile = (work: Work) => Promise<void>;

interface WithStatus<S> extends ApiObjectLike {
  status?: S;
}

/** Writes a status that is another than the one that was read; one that somebody else has written since is a conflict. */
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

/** The fields that say something: a server may leave out those that are 0 or empty. */
const told = (status: object): object =>
  Object.fromEntries(
    Object.entries(status).filter(([, value]) => value !== 0 && !(Array.isArray(value) && value.length === 0)),
  );

/** A merge patch that also removes what is no longer there. */
const cleared = (before: object, after: object): object => ({
  ...Object.fromEntries(Object.keys(before).map((field) => [field, null])),
  ...after,
});
