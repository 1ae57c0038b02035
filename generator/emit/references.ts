/**
 * Finds the objects that a client can follow from an object: the fields that name them, and the names of the functions.
 */
import type { Schema } from '../../runtime/contract/index.js';
import { parsePath } from '../../runtime/schema/index.js';
import type { Model, ResourceModel, VersionModel } from '../model/model.js';
import { importPath, resourceFolder } from './layout.js';
import { createNameScope } from './source/name-scope.js';
import { toCamel, toVariable } from './source/naming.js';
import { kindTypes } from './types/kind-types.js';

/** A field that clients can follow. */
export interface FollowedField {
  /** The name of the function, as in `project`. */
  readonly name: string;
  readonly field: string;
  readonly namespaceField?: string;
  /** Whether the field has many names. */
  readonly isList: boolean;
  readonly target: { readonly resource: ResourceModel; readonly version: VersionModel };
}

/** Returns the fields of a version that name objects of kinds in the model. */
export function followedFields(resource: ResourceModel, version: VersionModel, model: Model): readonly FollowedField[] {
  const scope = createNameScope();
  return (resource.references ?? []).flatMap(({ field, group, kind, namespaceField }) => {
    const found = model.resources.find((each) => each.group === group && each.names.kind === kind);
    const target = found && clientVersion(found, version.name);
    // Another version may have the field in another place.
    if (!found || !target || nodeAt(version.schema, field)?.['x-kindforge-references'] === undefined) return [];
    const keys = (parsePath(field) ?? []).flatMap((segment) => (segment === 'each' ? [] : [segment.key]));
    const name = scope.choose([keys.at(-1) ?? '', keys.join(' ')].map((text) => toVariable(toCamel(text))));
    const beside = namespaceField === undefined ? {} : { namespaceField };
    return [{ name, field, ...beside, isList: field.includes('[]'), target: { resource: found, version: target } }];
  });
}

/** Returns the version of a kind for clients of a version: the one of the same name, or else the first. */
function clientVersion({ versions, verbs }: ResourceModel, name: string): VersionModel | undefined {
  const served = verbs.includes('get') ? versions.filter((each) => each.served) : [];
  return served.find((each) => each.name === name) ?? served[0];
}

function nodeAt(schema: Schema, path: string): Schema | undefined {
  let node: Schema | undefined = schema;
  for (const segment of parsePath(path) ?? [])
    node = segment === 'each' ? node?.items : node?.properties?.[segment.key];
  return node;
}

/** Returns a text that changes with the kinds that a resource refers to. */
export const referencesKey = (resource: ResourceModel, model: Model): string =>
  resource.versions
    .flatMap((version) => followedFields(resource, version, model))
    .map(
      ({
        name,
        target: {
          resource: { group, names, scope },
          version,
        },
      }) => [name, group, names.kind, names.plural, scope, version.name].join(' '),
    )
    .join('\n');

/** An import of a type, under a name that is free. */
export interface ImportedType {
  readonly module: string;
  readonly name: string;
  readonly alias: string;
}

/** Returns the types of the objects that fields name, as a file imports them. */
export function targetTypes(
  fields: readonly FollowedField[],
  folder: string,
  taken: readonly string[],
): ReadonlyMap<ResourceModel, ImportedType> {
  const scope = createNameScope(taken);
  const types = new Map<ResourceModel, ImportedType>();
  for (const { target } of fields) {
    if (types.has(target.resource)) continue;
    const module = importPath(folder, `${resourceFolder(target.resource, target.version)}/types.ts`);
    const name = kindTypes(target.resource).object;
    types.set(target.resource, { module, name, alias: scope.choose([name, `Named${name}`]) });
  }
  return types;
}
