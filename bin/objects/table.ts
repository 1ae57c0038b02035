/** Prints the Tables of a server: one line per object, in columns that the server chooses. */

import { isObject, textOf } from '../../runtime/objects/guards.js';
import { escapeTerminal } from '../../runtime/objects/terminal.js';
import type { OutputFormat } from './output-format.js';
import { fieldsOf, identityOf, listOf, type Printing } from './printing.js';
import { type CustomColumn, cellsOfObject } from './template.js';

/** Asks for a Table, under either naming. A server without Tables sends the objects. */
const acceptTable = ['meta.k8s.io', 'meta.platform.io']
  .map((group) => `application/json;as=Table;v=v1;g=${group}`)
  .concat('application/json')
  .join(', ');

/** Returns the media types to accept for an output format. */
export const acceptFor = ({ kind }: OutputFormat): string => (kind === 'table' ? acceptTable : 'application/json');

export interface Column {
  readonly name: string;
  /** More than 0 for columns that only `-o wide` shows. */
  readonly priority: number;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

export interface Row {
  readonly cells: readonly string[];
  readonly name: string;
  readonly namespace: string;
  /** The object, or the part of it that the server has sent. */
  readonly object: unknown;
}

/** Reads the Table of an answer. An answer without a Table becomes a table of names. */
export function readTable(answer: unknown): Table {
  const { kind, columnDefinitions, rows, items } = fieldsOf(answer);
  if (kind !== 'Table') {
    const objects = Array.isArray(items) ? listOf(items) : [answer];
    return {
      columns: [{ name: 'NAME', priority: 0 }],
      rows: objects.map((object) => ({ ...identityOf(object), object, cells: [identityOf(object).name] })),
    };
  }
  return {
    columns: listOf(columnDefinitions)
      .map(fieldsOf)
      .map(({ name, priority }) => ({
        name: textOf(name).toUpperCase(),
        priority: typeof priority === 'number' ? priority : 0,
      })),
    rows: listOf(rows)
      .map(fieldsOf)
      .map(({ cells, object }) => ({ ...identityOf(object), object, cells: listOf(cells).map(cellText) })),
  };
}

const cellText = (cell: unknown): string => (cell === null || cell === undefined ? '<none>' : String(cell));

export interface TableView {
  readonly wide: boolean;
  /** Whether the namespace comes first. */
  readonly namespaces: boolean;
}

/** Returns the heading, and the visible cells of each row. */
export function cellsOf({ columns, rows }: Table, { wide, namespaces }: TableView): readonly (readonly string[])[] {
  const shown = columns.flatMap(({ priority }, i) => (wide || priority === 0 ? [i] : []));
  const heading = shown.map((i) => columns[i]?.name ?? '');
  const lines = rows.map(({ cells, namespace }) => [
    ...(namespaces ? [namespace] : []),
    ...shown.map((i) => onOneLine(cells[i] ?? '')),
  ]);
  return [[...(namespaces ? ['NAMESPACE'] : []), ...heading], ...lines];
}

/** Cuts a cell after its first line, as kubectl does, and escapes control characters, which have no width. */
function onOneLine(cell: string): string {
  const [line = ''] = cell.split(/[\f\n\r]/, 1);
  return escapeTerminal(line.length < cell.length ? `${line}...` : line);
}

/** Aligns columns, three spaces apart. `widths` has the smallest widths, and grows with the lines. */
export function alignColumns(lines: readonly (readonly string[])[], widths: number[] = []): string[] {
  for (const line of lines) {
    for (const [i, cell] of line.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  }
  return lines.map((line) =>
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('   ')
      .trimEnd(),
  );
}

export interface RowsView {
  readonly wide?: boolean;
  /** Whether the namespace comes first. */
  readonly namespaces?: boolean;
  /** Whether each row begins with the type of its event. */
  readonly events?: boolean;
  /** False leaves out the names of columns. */
  readonly headers?: boolean;
}

/** Prints the rows of a table; `event` is the type of their event. */
type PrintRows = (table: Table, event?: string) => void;

/** Wide enough for most events and names, because printed lines cannot be moved later. */
const eventWidths = ['MODIFIED'.length, 20];

export function rowPrinter(
  { wide = false, namespaces = false, events, headers }: RowsView,
  { out }: Printing,
): PrintRows {
  let columns: readonly Column[] | undefined;
  const widths = events ? [...eventWidths] : [];
  return (table, event = '') => {
    const isFirst = columns === undefined;
    // Only the first event of a watch names the columns.
    columns = table.columns.length > 0 ? table.columns : (columns ?? []);
    const [heading = [], ...rows] = cellsOf({ columns, rows: table.rows }, { wide, namespaces });
    const led = (first: string, cells: readonly string[]): readonly string[] => (events ? [first, ...cells] : cells);
    const lines = rows.map((cells) => led(event, cells));
    const all = isFirst && headers !== false ? [led('EVENT', heading), ...lines] : lines;
    for (const line of alignColumns(all, widths)) out(line);
  };
}

/** Makes a table of the user's own columns. */
export function tableOfObjects(objects: readonly unknown[], columns: readonly CustomColumn[]): Table {
  return {
    columns: columns.map(({ heading }) => ({ name: heading, priority: 0 })),
    rows: objects.map((object) => ({
      ...identityOf(object),
      object,
      cells: isObject(object) ? cellsOfObject(object, columns) : [],
    })),
  };
}
