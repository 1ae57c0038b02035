/** Decides which managers a write starts from: those stored, those the client sent, or none. */
import type { ApiObject, JsonValue, ManagedFieldsEntry } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { isObject } from '../../objects/guards.js';
import { decodeSent } from './entries.js';
import type { Managers } from './managers.js';

/** The managers before a write: those of the stored entries, not read yet, or others. */
export type StartingManagers =
  | { readonly from: 'stored'; readonly entries: readonly ManagedFieldsEntry[] }
  | { readonly from: 'client'; readonly managers: Managers }
  /** The client asked for all ownership to be forgotten. */
  | { readonly from: 'reset' };

/**
 * The managers that a create, update or patch starts from. Entries in the body replace the stored ones, but not
 * through a subresource, not when they are broken, and not when there are none: clients that know nothing of the field
 * must not lose it. A list of one empty object is how to ask for that.
 */
export function startingManagers(live: ApiObject | undefined, next: ApiObject, subresource: string): StartingManagers {
  const stored = live?.metadata.managedFields ?? [];
  const fromStored = { from: 'stored', entries: stored } as const;
  const sent: JsonValue = next.metadata.managedFields ?? null;
  if (subresource !== '' || sent === null || sent === stored || equal(sent, stored)) return fromStored;
  if (isResetRequest(sent)) return { from: 'reset' };
  const managers = decodeSent(sent);
  return managers === undefined || managers.size === 0 ? fromStored : { from: 'client', managers };
}

/** Whether the value is a list of exactly one empty object. */
export function isResetRequest(sent: JsonValue): boolean {
  if (!Array.isArray(sent) || sent.length !== 1) return false;
  const [only] = sent;
  return isObject(only) && Object.values(only).every((member) => member === undefined || member === null);
}
