/** Converts the managers of the replica count between an object and its scale subresource. */
import type { ManagedFieldsEntry } from '../../contract/index.js';
import { difference, fieldSetOf, has } from '../field-set.js';
import { fieldElement, type PathElement } from '../path-element.js';
import {
  decodeStored,
  encodeManagers,
  type ManagerRecord,
  type Managers,
  managerKey,
  putRecord,
  withFields,
} from './entries.js';

/** The path of the replica count in each version of a scalable resource. */
export interface ScaleMapping {
  /** The version of the parent in the request. */
  readonly apiVersion: string;
  /** The version of the Scale object. */
  readonly scaleVersion: string;
  /** Returns the path of the count in a version of the parent, or `undefined` if the version cannot be scaled. */
  readonly replicas: (apiVersion: string) => readonly PathElement[] | undefined;
}

const REPLICAS_OF_SCALE: readonly PathElement[] = [fieldElement('spec'), fieldElement('replicas')];

/** Returns the path of a JSONPath such as `.spec.replicas`. */
export function scalePath(jsonPath: string): readonly PathElement[] {
  return jsonPath
    .split('.')
    .filter((step) => step !== '')
    .map(fieldElement);
}

/** Returns the entries of the Scale object: all managers of the parent's replica count. */
export function toScaleEntries(
  parent: readonly ManagedFieldsEntry[],
  mapping: ScaleMapping,
): ManagedFieldsEntry[] | undefined {
  const managers: Managers = new Map();
  for (const record of decodeStored(parent).values()) {
    if (!ownsReplicas(record, mapping)) continue;
    const { entry: _, encoded: __, ...rest } = record;
    const scaled = { ...rest, apiVersion: mapping.scaleVersion, fields: fieldSetOf([REPLICAS_OF_SCALE]) };
    managers.set(managerKey(scaled), scaled);
  }
  return encodeManagers(managers);
}

/**
 * Returns the parent's entries after a write of its Scale, given the Scale's entries. Managers that lost the count in
 * the Scale lose it in the parent. New managers of the count have no time, because they did not write the parent.
 */
export function fromScaleEntries(
  scale: readonly ManagedFieldsEntry[],
  parent: readonly ManagedFieldsEntry[],
  mapping: ScaleMapping,
): ManagedFieldsEntry[] | undefined {
  const owners = new Map<string, ManagerRecord>();
  for (const record of decodeStored(scale).values()) {
    if (has(record.fields, REPLICAS_OF_SCALE)) owners.set(ownerKey(record), record);
  }
  const managers: Managers = new Map();
  for (const [key, record] of decodeStored(parent)) {
    const path = mapping.replicas(record.apiVersion);
    const keeps = path === undefined || !has(record.fields, path) || owners.delete(ownerKey(record));
    if (keeps) managers.set(key, record);
    else putRecord(managers, key, withFields(record, difference(record.fields, fieldSetOf([path]))));
  }
  for (const owner of owners.values()) addOwner(managers, owner, mapping);
  return encodeManagers(managers);
}

/** Returns the key of a manager without its version, because the versions of the two objects differ. */
function ownerKey(record: ManagerRecord): string {
  return managerKey({ ...record, apiVersion: '' });
}

function ownsReplicas(record: ManagerRecord, mapping: ScaleMapping): boolean {
  const path = mapping.replicas(record.apiVersion);
  return path !== undefined && has(record.fields, path);
}

function addOwner(managers: Managers, owner: ManagerRecord, mapping: ScaleMapping): void {
  const path = mapping.replicas(mapping.apiVersion);
  if (path === undefined) return;
  const { manager, operation, subresource } = owner;
  const record = { manager, operation, subresource, apiVersion: mapping.apiVersion, fields: fieldSetOf([path]) };
  managers.set(managerKey(record), record);
}
