/** Fields that writes to an object or one of its subresources cannot change, and so never come to own. */
import type { Schema } from '../contract/index.js';
import { type FieldSet, fieldElement, fieldSetOf } from '../merge/index.js';
import type { ServedResource } from './served-resource.js';

/**
 * Fields that writes to the object (empty) or to a subresource never come to own, because they cannot change them: the
 * status for the object itself, for a subresource all but what it writes.
 */
export function resetFieldsOf(resource: Pick<ServedResource, 'module' | 'schema'>, subresource: string): FieldSet {
  const { module } = resource;
  const target = module.subresources.find(({ name }) => name === subresource);
  if (!target) {
    const status = module.subresources.some(({ name }) => name === 'status') ? ['status'] : [];
    return toFieldSet(pathsOf([...status, ...(module.untracked ?? [])]));
  }
  const others = complement(resource.schema, pathsOf(target.writes), []);
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
