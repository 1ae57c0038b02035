/** Collects the definitions that resources refer to into libraries of shared types, with circles among them cut. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { get, object, type Raw, string } from '../../runtime/schema/read.js';
import { compare } from '../write/order.js';
import { circles } from './circles.js';
import type { ApiDocument } from './document.js';
import { withoutEnvelope } from './envelope.js';
import { referencesOf } from './references.js';
import type { Remarks } from './remarks.js';
import { anything, convertNode } from './schema.js';
import { specialType } from './special-types.js';
import { type LibraryType, namesOf } from './type-names.js';

/** The shared types of a document. */
export interface SharedTypes {
  /** The conversion of a reference in a definition. */
  readonly refer: (from: string, id: string) => JsonObject | undefined;
  /** Types by name, by library; both in order. */
  readonly libraries: () => ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
}

/** Where references of a kind's own schema start from: the kind as a resource, which is no type among others. */
export const rootOf = (id: string): string => `resource ${id}`;

/** Prepares the types that these kinds refer to, directly or not. A kind itself is one where another refers to it. */
export function collectTypes(document: ApiDocument, kinds: readonly string[], remarks: Remarks): SharedTypes {
  const roots = new Map(kinds.map((id) => [rootOf(id), withoutEnvelope(document.definitions.get(id)?.raw)]));
  const { reached, closing } = circles([...roots.keys()], (id) =>
    referencesOf(roots.get(id) ?? document.definitions.get(id)?.raw),
  );
  const names = namesOf([...reached].filter((id) => document.definitions.has(id)).sort(compare));

  const refer = (from: string, id: string): JsonObject | undefined => {
    const definition = document.definitions.get(id);
    const name = names.get(id);
    if (definition === undefined || name === undefined) return undefined;
    const special = specialType(name);
    if (special?.inPlace !== undefined) return special.inPlace;
    const $ref = `${name.library}#/${name.name}`;
    if (!closing(from, id)) return { $ref };
    // Where a circle ends, an object keeps its unknown fields. Any other type becomes a schema that allows anything.
    return isObjectType(definition.raw) ? { $ref, ...anything() } : anything();
  };

  const convert = (id: string, name: LibraryType): JsonObject | undefined => {
    const definition = document.definitions.get(id);
    const special = specialType(name);
    if (definition === undefined || special?.inPlace !== undefined) return undefined;
    const { raw, path } = definition;
    if (special?.schema !== undefined) return { ...described(raw), ...special.schema };
    return convertNode(raw, path, { reference: (target) => refer(id, target), remarks });
  };

  return {
    refer,
    libraries: () => {
      const libraries = new Map<string, Map<string, JsonObject>>();
      for (const [id, name] of [...names].sort(([, a], [, b]) => byName(a, b))) {
        const type = convert(id, name);
        if (type === undefined) continue;
        const library = libraries.get(name.library) ?? new Map<string, JsonObject>();
        libraries.set(name.library, library.set(name.name, type));
      }
      return libraries;
    },
  };
}

function byName(a: LibraryType, b: LibraryType): number {
  return compare(a.library, b.library) || compare(a.name, b.name);
}

function described(raw: Raw): JsonObject {
  const description = string(get(raw, 'description'));
  return description === undefined ? {} : { description };
}

const isObjectType = (raw: Raw): boolean =>
  get(raw, 'type') === 'object' || object(get(raw, 'properties')) !== undefined;
