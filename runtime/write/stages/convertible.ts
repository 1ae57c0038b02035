/** Refuses objects that one of the versions of their kind could not show: an expression of its conversion fails. */
import type { Failure } from '../../contract/index.js';
import { unreadableVersion } from '../../resource/conversion-faults.js';
import type { Attempt } from '../attempt.js';

/** Asks every version that may fail. Most kinds have none, which is known at once. */
export function checkConvertible({ write, object }: Pick<Attempt, 'write' | 'object'>): Failure | undefined {
  const { resource } = write;
  return resource.stored.fallible.length === 0 ? undefined : unreadableVersion(resource, object);
}
