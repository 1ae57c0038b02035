/** The stage that records which field manager owns what a write changed. */
import type { ApiObject, Schema } from '../../contract/index.js';
import { type FieldSet, fieldElement, fieldSetOf, updateManagedFields } from '../../merge/index.js';
import type { ServedResource } from '../served-resource.js';
import { subresourceName, type Write } from '../write.js';

/** Sets `metadata.managedFields` of what a create, update or patch is about to store, in place. */
export function recordOwnership(write: Write, object: ApiObject, live: ApiObject | undefined): void {
  const { plan, manager, apiVersion, subresource, now, resetFields, versions } = ownershipOf(write);
  object.metadata.managedFields = updateManagedFields({
    plan,
    manager,
    apiVersion,
    subresource,
    now,
    resetFields,
    versions,
    live,
    next: object,
  });
}

/** What ownership needs to know of a write. */
export function ownershipOf(write: Write) {
  const { resource, manager, now } = write;
  const subresource = subresourceName(write);
  return {
    plan: resource.plan,
    manager,
    apiVersion: resource.apiVersion,
    subresource,
    now,
    resetFields: resource.resetFields(subresource),
    // A Scale has no versions of its own to be converted.
    versions: resource.stored.remote ? write.remoteVersions : resource.versions,
  };
}

/**
 * Fields that writes to the object (empty) or to a subresource never come to own, because they cannot change them: the
 * status for the object itself, for a subresource all but what it writes.
 */
export function resetFieldsOf({ module }: Pick<ServedResource, 'module'>, subresource: string): FieldSet {
  const target = module.subresources.find(({ name }) => name === subresource);
  if (!target) {
    const status = module.subresources.some(({ name }) => name === 'status') ? ['status'] : [];
    return toFieldSet(pathsOf([...status, ...(module.untracked ?? [])]));
  }
  const others = complement(module.schema, pathsOf(target.writes), []);
  // Of custom resources the reference records owners of metadata even where the write leaves it as it was.
  const metadata = target.writesMetadata || module.decoding === 'structural' ? [] : [['metadata']];
  return toFieldSet([...others, ...metadata, ...pathsOf(target.untracked ?? [])]);
}

const pathsOf = (texts: readonly string[]): string[][] => texts.map((text) => text.split('.'));

const toFieldSet = (paths: readonly (readonly string[])[]): FieldSet =>
  fieldSetOf(paths.map((path) => path.map(fieldElement)));

/** The topmost fields of a schema that lie outside of all the given paths. */
function complement(schema: Schema, keep: readonly (readonly string[])[], at: readonly string[]): string[][] {
  return Object.keys(schema.properties ?? {}).flatMap((name) => {
    if (at.length === 0 && envelope.has(name)) return [];
    const below = keep.filter(([first]) => first === name).map(([, ...rest]) => rest);
    if (below.length === 0) return [[...at, name]];
    if (below.some((rest) => rest.length === 0)) return [];
    return complement(schema.properties?.[name] ?? {}, below, [...at, name]);
  });
}

const envelope: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata']);
