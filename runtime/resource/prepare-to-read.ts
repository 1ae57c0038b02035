/** Sees to it that entries can be read in a version, before they are: reading itself neither waits nor fails. */
import type { Entry, Failure } from '../contract/index.js';
import { unreadableEntry } from './conversion-faults.js';
import { prepareRemotely } from './remote-versions.js';
import type { ServedResource } from './served-resource.js';

/**
 * Resolves to why entries cannot be read in the version of a resource. Nothing, at once, where nobody has to be asked
 * and all can.
 */
export function prepareToRead(
  resource: ServedResource,
  entries: readonly Entry[],
): Promise<Failure | undefined> | undefined {
  const { remote } = resource.stored;
  if (remote) return prepareRemotely(resource, entries, remote);
  const failure = unreadableEntry(resource, entries);
  return failure && Promise.resolve(failure);
}
