/** Prints the Tables of a server: one line per object, in columns that the server chooses. */
import { fieldsOf, identityOf, listOf, textOf } from '../values.js';
import type { OutputFormat } from './output-format.js';

/** Asks for a Table, under either naming; a server that has none sends the objects. */
const acceptTable = ['meta.k8s.io', 'meta.platform.io']
  .map((group) => `application/json;as=Table;v=v1;g=${group}`)
  .concat('application/json')
  .join(', ');

/** The form of answers that a format is made of. */
export const acceptFor = ({ kind }: OutputFormat): string => (kind === 'table' ? acceptTable : 'application/json');

export interface Column {
  readonly name: string;
  /** Above 0 for columns that only `-o wide` shows. */
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
  /** The object, or as much of it as the server has sent. */
  readonly object: unknown;
}

/** The Table in an answer. Of objects without one, their names are the only column. */
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

/** How a table is shown. */
export interface TableView {
  readonly wide: boolean;
  /** Whether the namespace comes first. */
  readonly namespaces: boolean;
}

/** The heading, and the cells of each row that are shown. */
export function cellsOf({ columns, rows }: Table, { wide, namespaces }: TableView): readonly (readonly string[])[] {
  const shown = columns.flatMap(({ priority }, i) => (wide || priority === 0 ? [i] : []));
  const heading = shown.map((i) => columns[i]?.name ?? '');
  const lines = rows.map(({ cells, namespace }) => [
    ...(namespaces ? [namespace] : []),
    ...shown.map((i) => cells[i] ?? ''),
  ]);
  return [[...(namespaces ? ['NAMESPACE'] : []), ...heading], ...lines];
}

/** Lines whose columns stand below each other, three spaces apart. `widths` are the least ones, and grow with the lines. */
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
