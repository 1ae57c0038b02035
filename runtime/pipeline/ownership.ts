/** The stage that records which field manager owns what a write changed. */
import type { ApiObject, Schema } from '../contract/index.js';
import { type FieldSet, fieldSetOf } from '../merge/fieldpath/field-set.js';
import { fieldElement } from '../merge/fieldpath/path-element.js';
import { updateManagedFields } from '../merge/managed-fields/update.js';
import type { ServedResource } from './served-resource.js';
import { subresourceName, type Write } from './write.js';

/** Sets `metadata.managedFields` of what a create, update or patch is about to store, in place. */
export function recordOwnership(write: Write, object: ApiObject, live: ApiObject | undefined): void {
  const { resource } = write;
  const subresource = subresourceName(write);
  object.metadata.managedFields = updateManagedFields({
    plan: resource.plan,
    ...(live === undefined ? {} : { live }),
    next: object,
    manager: write.manager,
    apiVersion: resource.apiVersion,
    subresource,
    now: write.now,
    resetFields: resource.resetFields(subresource),
    ...(resource.versions === undefined ? {} : { versions: resource.versions }),
  });
}

/**
 * Fields that a path cannot write, so that nobody comes to own them by writing there: for the object itself what its
 * subresources write, for a subresource everything else.
 */
export function resetFieldsOf({ module }: Pick<ServedResource, 'module'>, subresource: string): FieldSet {
  const target = module.subresources.find(({ name }) => name === subresource);
  if (!target) {
    const written = module.subresources.flatMap((other) => (other.scale ? [] : other.writes));
    return toFieldSet(pathsOf([...written, ...(module.untracked ?? [])]));
  }
  const writes = pathsOf(target.writes);
  const others = [...complement(module.schema, writes, []), ...pathsOf(target.untracked ?? [])];
  return toFieldSet(target.writesMetadata ? others : [...others, ['metadata']]);
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
