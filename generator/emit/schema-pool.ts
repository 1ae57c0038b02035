/** Finds the parts of a file's schemas that get a constant: repeated parts, and deep parts. */
import type { Schema } from '../../runtime/contract/index.js';
import { type NameScope, pathNames } from './source/name-scope.js';
import { toCamel, toPascal, toSingular, toVariable } from './source/naming.js';
import { SHORTEST_PART, toKey } from './structures.js';

/** Parts deeper than this get a constant: TypeScript cannot check very deep literals. */
const DEEPEST_LITERAL = 12;

/** The segment of a path that leads into a list or a map. */
const ITEM = '[]';

/** A schema without its own description. Equal schemas are one part. */
export interface Part {
  readonly id: number;
  /** Its approximate length in characters. */
  readonly size: number;
  readonly schema: Schema;
  /** Whether it refers to something that is printed in another file. */
  readonly isReference: boolean;
  readonly children: readonly (readonly [segment: string, part: Part])[];
  /** The number of places in other parts. */
  uses: number;
  /** Name of its constant; absent if it is printed in its place. */
  constant?: string;
}

/** The parts of some schemas. */
export interface SchemaPool {
  /** Returns the part of a schema; the same for equal ones. */
  readonly partOf: (schema: Schema) => Part;
  /**
   * Gives constants to the repeated and the deep parts below the roots. The shallowest path of a part determines its
   * name.
   */
  readonly nameParts: (roots: readonly Part[], scope: NameScope) => void;
}

/**
 * Creates a pool without parts. Reads each schema object once.
 * @param referenceOf - returns the content of a schema that refers to something printed elsewhere. The pool does not
 * look into such schemas.
 */
export const createSchemaPool = (referenceOf: (schema: Schema) => unknown): SchemaPool => {
  const byKey = new Map<string, Part>();
  const bySchema = new Map<Schema, Part>();

  const read = (schema: Schema): Part => {
    const reference = referenceOf(schema);
    const below = reference === undefined ? childrenOf(schema) : [];
    const children = below.map(([segment, child]) => [segment, partOf(child)] as const);
    const own = reference === undefined ? ownKey(schema) : toKey(reference);
    const key = toKey([own, children.map(([segment, part], at) => [segment, part.id, below[at]?.[1].description])]);
    const known = byKey.get(key);
    if (known !== undefined) return known;
    for (const [, part] of children) part.uses++;
    const texts = below.reduce((sum, [, child]) => sum + (child.description?.length ?? 0), own.length);
    const size = children.reduce((sum, [segment, part]) => sum + segment.length + part.size, texts);
    const part: Part = { id: byKey.size, size, schema, isReference: reference !== undefined, children, uses: 0 };
    byKey.set(key, part);
    return part;
  };

  const partOf = (schema: Schema): Part => {
    const part = bySchema.get(schema) ?? read(schema);
    bySchema.set(schema, part);
    return part;
  };

  return { partOf, nameParts };
};

const childrenOf = (schema: Schema): readonly (readonly [segment: string, child: Schema])[] => [
  ...Object.entries(schema.properties ?? {}),
  ...(schema.items === undefined ? [] : [[ITEM, schema.items] as const]),
  ...(typeof schema.additionalProperties === 'object' ? [[ITEM, schema.additionalProperties] as const] : []),
];

/** Returns a key of a part without its children. */
const ownKey = (schema: Schema): string => {
  const { description: _, properties, items, additionalProperties, ...own } = schema;
  const below = [properties !== undefined, items !== undefined];
  return toKey([own, below, typeof additionalProperties === 'object' ? 'schema' : (additionalProperties ?? null)]);
};

const nameParts: SchemaPool['nameParts'] = (roots, scope) => {
  const visited = new Set(roots);
  let level = roots.map((part) => ({ part, path: [] as readonly string[], depth: 1 }));
  while (level.length > 0) {
    const next: typeof level = [];
    for (const { part, path, depth } of level) {
      for (const [segment, child] of part.children) {
        if (visited.has(child)) continue;
        visited.add(child);
        const inside =
          segment === ITEM ? [...path.slice(0, -1), toSingular(path.at(-1) ?? '')] : [...path, toPascal(segment)];
        const isRepeated = child.uses > 1 && child.size >= SHORTEST_PART && !child.isReference;
        if (isRepeated || (depth >= DEEPEST_LITERAL && child.children.length > 0)) {
          child.constant = scope.choose([...pathNames('', inside)].map((name) => toVariable(toCamel(name))));
        }
        next.push({ part: child, path: inside, depth: child.constant === undefined ? depth + 1 : 1 });
      }
    }
    level = next;
  }
};
