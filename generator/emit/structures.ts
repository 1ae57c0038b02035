/** Finds the structures in a schema: object types, distinguished by everything except their field's own keywords. */
import { createHash } from 'node:crypto';
import type { Schema } from '../../runtime/contract/index.js';
import { keptOf } from '../../runtime/objects/memoize.js';
import type { VersionModel } from '../model/model.js';
import { fieldTypeName, toPascal, toSingular } from './source/naming.js';

/**
 * A schema without the keywords of its field: description, default, and whether it may be null. Equal schemas have
 * equal keys.
 */
export interface Structure {
  readonly key: string;
  /** Its approximate length in characters. */
  readonly size: number;
}

/** The places of one structure in one version of a kind. */
export interface Occurrence {
  readonly schema: Schema;
  /** The number of its fields by name. */
  readonly fields: Map<string, number>;
  /** The number of times that each name would be used, in Pascal case, items in the singular. */
  readonly names: Map<string, number>;
  /** Steps to its first place, in Pascal case. */
  readonly path: readonly string[];
}

/**
 * Minimum characters of a part with a name. Shorter parts are repeated, because names would not make a file easier to
 * read.
 */
export const SHORTEST_PART = 200;

/** Maximum characters of texts that are their own digest. */
const LONGEST_PLAIN = 64;

/** Members of a schema that belong to its field. */
export const FIELD_KEYS = ['description', 'default', 'nullable'] as const;

/** Returns the JSON of a value, with bigints in a form that no string has. */
export const toKey = (value: unknown): string =>
  JSON.stringify(value, (_key, member: unknown) => (typeof member === 'bigint' ? { bigint: String(member) } : member));

const digest = (text: string): string =>
  text.length <= LONGEST_PLAIN ? text : createHash('sha256').update(text).digest('base64url');

const known = new WeakMap<Schema, Structure>();

/** Returns the structure of a schema. Reads each schema object once. */
export function structureOf(schema: Schema): Structure {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const structure = read(schema);
  known.set(schema, structure);
  return structure;
}

function read(schema: Schema): Structure {
  const { description: _d, default: _f, nullable: _n, properties, items, additionalProperties, ...own } = schema;
  const ownKey = toKey(own);
  let size = ownKey.length;
  const member = (name: string, child: Schema): readonly unknown[] => {
    const { key, size: below } = structureOf(child);
    size += name.length + below + (child.description?.length ?? 0);
    return [name, key, child.description, child.default, child.nullable];
  };
  const parts = [
    properties === undefined ? undefined : Object.entries(properties).map(([name, child]) => member(name, child)),
    items === undefined ? undefined : member('', items),
    typeof additionalProperties === 'object' ? member('', additionalProperties) : additionalProperties,
  ];
  return { key: digest(ownKey + toKey(parts)), size };
}

const occurrences = new WeakMap<VersionModel, Occurrences>();

/** Structures by their keys. */
export type Occurrences = ReadonlyMap<string, Occurrence>;

/** Returns the structures found so far, to keep for the next process. */
export function keptOccurrences(versions: readonly VersionModel[]): ReadonlyMap<VersionModel, Occurrences> {
  return keptOf(occurrences, versions);
}

/** Restores the structures that another process has found. */
export function restoreOccurrences(found: ReadonlyMap<VersionModel, Occurrences>): void {
  for (const [version, each] of found) occurrences.set(version, each);
}

/** Returns the structures below the root of a version that deserve a name, by key, shallow ones first. */
export function occurrencesIn(version: VersionModel, kind: string): Occurrences {
  const before = occurrences.get(version);
  if (before !== undefined) return before;
  const found = findOccurrences(version.schema, kind);
  occurrences.set(version, found);
  return found;
}

interface PlacedSchema {
  readonly schema: Schema;
  /** Name of the field that leads here. */
  readonly field: string;
  readonly path: readonly string[];
}

/** Adds `more` to the count of a name. */
export function countName(counts: Map<string, number>, name: string, more = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}

function findOccurrences(root: Schema, kind: string): Occurrences {
  const found = new Map<string, Occurrence>();
  const note = ({ schema, field, path }: PlacedSchema): void => {
    const { key, size } = structureOf(schema);
    if (size < SHORTEST_PART || Object.keys(schema.properties ?? {}).length === 0) return;
    const occurrence = found.get(key) ?? { schema, fields: new Map(), names: new Map(), path };
    found.set(key, occurrence);
    countName(occurrence.fields, field);
    countName(occurrence.names, fieldTypeName([toPascal(kind), ...path]));
  };
  let level: PlacedSchema[] = childrenOf({ schema: root, field: '', path: [] });
  while (level.length > 0) {
    const own = level.filter(({ schema }) => schema['x-kindforge-type'] === undefined);
    own.forEach(note);
    level = own.flatMap(childrenOf);
  }
  return found;
}

function childrenOf({ schema, field, path }: PlacedSchema): PlacedSchema[] {
  const inside = [...path.slice(0, -1), toSingular(path.at(-1) ?? '')];
  const { properties = {}, items, additionalProperties } = schema;
  return [
    ...Object.entries(properties).map(([name, child]) => ({
      schema: child,
      field: name,
      path: [...path, toPascal(name)],
    })),
    ...(items === undefined ? [] : [{ schema: items, field, path: inside }]),
    ...(typeof additionalProperties === 'object' ? [{ schema: additionalProperties, field, path: inside }] : []),
  ];
}
