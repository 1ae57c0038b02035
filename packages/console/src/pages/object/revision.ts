/** The parts of a revision that people look for. */
import type { DynamicObject, ManagedFieldsEntry } from 'kindforge/client';
import { isSame } from '../../object/paths.js';

/** Returns a revision without the fields that differ in each one. */
export function withoutBookkeeping(object: DynamicObject | undefined): unknown {
  if (!object) return undefined;
  const { managedFields: _fields, resourceVersion: _version, generation: _generation, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/**
 * Returns the manager that made an object out of an earlier revision of it, as far as managedFields says so: the one with a
 * new entry or a new time, else one with other fields, else the one that wrote last. Who only lost fields keeps its time.
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
