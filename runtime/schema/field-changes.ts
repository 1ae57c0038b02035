/** Finds the differences between the fields of a kind in two releases. */
import type { Schema } from '../contract/index.js';
import type { Release } from '../objects/release.js';
import { lifetimeOf, schemaBefore } from './schema-in-release.js';

/** A field that one of two releases has, or that has other keywords in each. */
export interface FieldChange {
  readonly change: 'comes' | 'goes' | 'changes';
  /** The path from the object's root, as in `.spec.containers[].resources`. `{}` means the values of a map. */
  readonly path: string;
  /** The gate of the field. While it is off, the server drops the field. */
  readonly gate?: string;
  /** The keywords that change, without absent ones. */
  readonly before?: Readonly<Record<string, unknown>>;
  readonly after?: Readonly<Record<string, unknown>>;
}

/** The part of a server that a kind belongs to. */
type Part = 'kinds' | 'machinery';

/**
 * Returns a function that finds the changes of a schema between two releases. Reads a part that several schemas share
 * only once.
 */
export function defineFieldChanges(from: Release, to: Release, part: Part): (schema: Schema) => readonly FieldChange[] {
  const known = new WeakMap<Schema, readonly FieldChange[]>();
  const nameOf = (release: Release): string => (part === 'machinery' ? release.machinery : release.name);
  const changesIn = (schema: Schema): readonly FieldChange[] => {
    const kept = known.get(schema);
    if (kept !== undefined) return kept;
    const { properties = {}, items, additionalProperties: values } = schema;
    const found = [
      ...keywordChanges(schemaBefore(schema, nameOf(from)), schemaBefore(schema, nameOf(to)), schema),
      ...Object.entries(properties).flatMap(([name, field]) => below(`.${name}`, fieldChanges(field))),
      ...(items === undefined ? [] : below('[]', changesIn(items))),
      ...(typeof values === 'object' ? below('{}', changesIn(values)) : []),
    ];
    known.set(schema, found);
    return found;
  };
  const fieldChanges = (field: Schema): readonly FieldChange[] => {
    const [was, is] = [from.has(lifetimeOf(field), part), to.has(lifetimeOf(field), part)];
    if (was && is) return changesIn(field);
    const gate = field['x-kindforge-feature-gate'];
    if (was === is) return [];
    return [{ change: is ? 'comes' : 'goes', path: '', ...(gate === undefined ? {} : { gate }) }];
  };
  return changesIn;
}

const below = (step: string, changes: readonly FieldChange[]): readonly FieldChange[] =>
  changes.map((change) => ({ ...change, path: `${step}${change.path}` }));

function keywordChanges(before: Schema, after: Schema, schema: Schema): readonly FieldChange[] {
  const keywords = new Set(Object.values(schema['x-kindforge-before'] ?? {}).flatMap((words) => Object.keys(words)));
  const [was, is] = [new Map<string, unknown>(Object.entries(before)), new Map<string, unknown>(Object.entries(after))];
  const changed = [...keywords].filter((word) => JSON.stringify(was.get(word)) !== JSON.stringify(is.get(word)));
  if (changed.length === 0) return [];
  const pick = (words: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> =>
    Object.fromEntries(changed.flatMap((word) => (words.has(word) ? [[word, words.get(word)]] : [])));
  return [{ change: 'changes', path: '', before: pick(was), after: pick(is) }];
}
