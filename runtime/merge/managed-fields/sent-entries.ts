/** Decides which managers a write starts from: those stored, those the client sent, or none. */
import type { ApiObject, JsonValue, ManagedFieldsEntry } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { isObject } from '../../objects/guards.js';
import { decodeSent } from './entries.js';
import type { Managers } from './managers.js';

/** The managers before a write: those of entries that are not read yet, or those that the client sent. */
export type StartingManagers =
  | { readonly from: 'stored'; readonly entries: readonly ManagedFieldsEntry[] }
  | { readonly from: 'client'; readonly managers: Managers };

const nobody: StartingManagers = { from: 'stored', entries: [] };

/**
 * The managers that a create, update or patch starts from. Entries in the body replace the stored ones, but not
 * through a subresource, not when they are broken, and not when there is no list: clients that know nothing of the field
 * must not lose it. A list of none, or of one empty object, asks for all ownership to be forgotten.
 */
export function startingManagers(live: ApiObject | undefined, next: ApiObject, subresource: string): StartingManagers {
  const stored = live?.metadata.managedFields ?? [];
  const fromStored = { from: 'stored', entries: stored } as const;
  const sent: JsonValue = next.metadata.managedFields ?? null;
  if (subresource !== '' || sent === null || sent === stored || equal(sent, stored)) return fromStored;
  if (isResetRequest(sent)) return nobody;
  const managers = decodeSent(sent);
  return managers === undefined || managers.size === 0 ? fromStored : { from: 'client', managers };
}

/** Whether the value is an empty list, or one of exactly one empty object. */
function isResetRequest(sent: JsonValue): boolean {
  if (!Array.isArray(sent) || sent.length > 1) return false;
  const [only] = sent;
  return (
    only === undefined ||
    (isObject(only) && Object.values(only).every((member) => member === undefined || member === null))
  );
}
