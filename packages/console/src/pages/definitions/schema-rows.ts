/** The visible rows of a schema: the fields of opened fields, a page at a time. */
import { childPath, splitPath } from './field-path.js';
import { childOf, fieldAt, hasChildren, rootField, type SchemaField, type SchemaSource } from './schema-tree.js';

/** The most fields to add at a time below one field. */
export const pageSize = 100;

/** The fields to show below an opened field: from `from` to before `to`. */
export interface Shown {
  readonly from: number;
  readonly to: number;
}

export type Opened = ReadonlyMap<string, Shown>;

export interface FieldRow {
  readonly of: 'field';
  readonly field: SchemaField;
  /** From 1. */
  readonly level: number;
  /** The place among its siblings, from 1, and how many there are. */
  readonly position: number;
  readonly siblings: number;
  readonly hasChildren: boolean;
  readonly isOpen: boolean;
}

/** A row in place of hidden fields. */
export interface RestRow {
  readonly of: 'rest';
  readonly path: string;
  readonly level: number;
  readonly count: number;
  /** The range to show next: the rest, or a page of the rest. */
  readonly shown: Shown;
}

export const firstPage: Shown = { from: 0, to: pageSize };

/** Lists the rows, in the order of the schema. The object itself is always open, and has no row. */
export function* rowsOf(source: SchemaSource, opened: Opened): Generator<FieldRow | RestRow> {
  yield* rowsBelow(source, rootField(source), opened, 1);
}

function* rowsBelow(
  source: SchemaSource,
  parent: SchemaField,
  opened: Opened,
  level: number,
): Generator<FieldRow | RestRow> {
  const names = Object.keys(parent.properties);
  const { from, to } = opened.get(parent.path) ?? firstPage;
  const rest = (count: number, shown: Shown): RestRow => ({ of: 'rest', path: parent.path, level, count, shown });
  if (from > 0) yield rest(from, { from: Math.max(0, from - pageSize), to });
  for (const [i, name] of names.slice(from, to).entries()) {
    const field = childOf(source, parent, name);
    if (!field) continue;
    const isOpen = opened.has(field.path) && hasChildren(field);
    const place = { position: from + i + 1, siblings: names.length };
    yield { of: 'field', field, level, ...place, hasChildren: hasChildren(field), isOpen };
    if (isOpen) yield* rowsBelow(source, field, opened, level + 1);
  }
  if (to < names.length) yield rest(names.length - to, { from, to: to + pageSize });
}

/** Opens all fields on the way to a field, at the right pages. */
export function openedTo(source: SchemaSource, opened: Opened, path: string): Opened {
  const found = new Map(opened);
  let above = '';
  for (const name of splitPath(path)) {
    const place = Object.keys(fieldAt(source, above)?.properties ?? {}).indexOf(name);
    if (place < 0) break;
    const shown = found.get(above) ?? firstPage;
    if (place < shown.from || place >= shown.to) {
      const from = Math.floor(place / pageSize) * pageSize;
      found.set(above, { from, to: from + pageSize });
    } else if (above !== '') found.set(above, shown);
    above = childPath(above, name);
  }
  return found;
}

/** Opens a field, or closes it. */
export function toggled(opened: Opened, path: string): Opened {
  const next = new Map(opened);
  if (!next.delete(path)) next.set(path, firstPage);
  return next;
}
