/** Reads the parts of a revision that matter to people. */
import type { DynamicObject, ManagedFieldsEntry } from 'kindforge/client';
import { isSame } from '../../object/paths.js';

/** Returns a revision without the fields that every change changes. */
export function withoutBookkeeping(object: DynamicObject | undefined): unknown {
  if (!object) return undefined;
  const { managedFields: _fields, resourceVersion: _version, generation: _generation, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * Returns the manager that made a revision from the one before, as far as managedFields shows it: the manager with a
 * new entry or a new time, else one with other fields, else the last writer. A manager that only lost fields keeps its
 * time.
 */
export function writerOf({ metadata }: DynamicObject, before?: DynamicObject): string {
  const { managedFields = [] } = metadata;
  const old = before?.metadata.managedFields ?? [];
  const entries = [
    managedFields.filter((entry) => !old.some((other) => isSame(whoAndWhen(entry), whoAndWhen(other)))),
    managedFields.filter((entry) => !old.some((other) => isSame(entry, other))),
    managedFields,
  ].find(({ length }) => length > 0);
  const [latest] = [...(entries ?? [])].sort((one, other) => (other.time ?? '').localeCompare(one.time ?? ''));
  return latest?.manager ?? '';
}

const whoAndWhen = ({ fieldsV1: _, ...entry }: ManagedFieldsEntry): Partial<ManagedFieldsEntry> => entry;
