/** Fails lists with stored objects that the server cannot read, if clients may delete such objects. */
import type { Damage, Failure, FailureDetails, Key } from '../contract/index.js';
import { registryPath } from '../objects/names/names.js';
import type { VerbRequest } from '../request/verb-request.js';

/** The gate for deletes of unreadable objects. Without it, lists leave these objects out. */
export const unsafeDeleteGate = 'AllowUnsafeMalformedObjectDeletion';

/** The most objects that a failure names. */
const mostCauses = 100;

/** The keys that a list reads: from the first key after `after` up to `end`. */
interface Range {
  readonly after: Key | undefined;
  readonly end: Key | undefined;
}

/** Returns the failure of a list that reads unreadable objects; `undefined` without the gate. */
export function unreadableFailure(
  { services, resource }: VerbRequest,
  prefix: string,
  { after = '', end }: Range,
): Failure | undefined {
  const { store, featureEnabled } = services;
  // Checks this first, because few stores have unreadable objects, and other lists should cost nothing more.
  const stored = store.unreadable?.(prefix);
  if (!stored?.length || !featureEnabled(unsafeDeleteGate)) return undefined;
  const isRead = ({ key }: Damage): boolean =>
    (prefix.endsWith('/') || key === prefix) && key > after && (end === undefined || key <= end);
  const read = stored.filter(isRead).sort((a, b) => (a.key < b.key ? -1 : 1));
  if (read.length === 0) return undefined;
  const { group, names } = resource.module;
  return {
    reason: 'StorageReadError',
    message: `failed to read one or more ${resource.groupResource} from the storage`,
    details: { group, kind: names.plural, name: 'list', causes: causesOf(read) },
  };
}

function causesOf(damage: readonly Damage[]): FailureDetails['causes'] {
  const causes = damage.slice(0, mostCauses).map((one) => {
    const field = registryPath(one.key);
    return { reason: 'UnexpectedServerResponse' as const, message: messageOf(field, one), field };
  });
  if (damage.length <= mostCauses) return causes;
  return [...causes, { reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated' }];
}

/** Returns the reference's message with our problem. */
function messageOf(path: string, { locked, revision = 0, problem }: Damage): string {
  const what = locked
    ? 'data from the storage is not transformable revision=0'
    : `object not decodable revision=${revision}`;
  return `StorageError: corrupt object, Code: 7, Key: ${path}, ResourceVersion: 0, AdditionalErrorMsg: ${what}: ${problem}`;
}
