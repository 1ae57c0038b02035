/** Tables: objects as the server shows them to people. */
import type { ApiObjectLike, ListMeta } from '../types.js';

/** A column of a table. */
export interface TableColumn {
  readonly name: string;
  /** As in OpenAPI: `string`, `integer`, `number`, `boolean`, `date`. */
  readonly type: string;
  /** `name` for the column that names the object. */
  readonly format: string;
  readonly description: string;
  /** 0 for columns that are always shown; higher ones are for wide tables. */
  readonly priority: number;
}

/** A row of a table, which stands for an object. */
export interface TableRow {
  /** One for each column. */
  readonly cells: readonly unknown[];
  /** The object: its metadata alone where nothing else was asked for. */
  readonly object?: ApiObjectLike;
}

/** Objects as the server shows them to people. */
export interface Table {
  readonly metadata: ListMeta;
  readonly columnDefinitions: readonly TableColumn[];
  readonly rows: readonly TableRow[];
}
