/** Prints tables, at once or as their rows come: below one heading, in columns that do not get narrower. */
import { isObject } from '../../../runtime/objects/guards.js';
import type { Printing } from '../printing.js';
import { identityOf } from '../values.js';
import { type CustomColumn, cellsOfObject } from './columns.js';
import { alignColumns, type Column, cellsOf, type Table } from './table.js';

/** How rows are shown. */
export interface RowsView {
  readonly wide?: boolean;
  /** Whether the namespace comes first. */
  readonly namespaces?: boolean;
  /** Whether each row begins with the event that it is of. */
  readonly events?: boolean;
  /** False leaves out the names of columns. */
  readonly headers?: boolean;
}

/** Prints the rows of a table; `event` is the type of the event that they are of. */
export type PrintRows = (table: Table, event?: string) => void;

/** Wide enough for most events and names: later lines cannot move those that are printed. */
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

/** A table of one's own columns. */
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
