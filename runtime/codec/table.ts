/** Tables: columns and rows of objects, as clients print them. */
import type { ApiObject, Handlers, JsonObject, JsonValue, PrinterColumn, Result } from '../contract/index.js';
import { badRequest } from '../objects/failures.js';
import { invalidValue } from '../objects/field-error.js';
import { getOwn } from '../objects/guards.js';
import type { Reads } from '../objects/json-path/json-path.js';
import { columnWords } from '../schema/openapi/meta-types.js';
import { type CellReader, compileCell } from './table-cells.js';

/** How much of its object each row carries. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** The parts of a resource that its Table is made of. */
export interface TableSource {
  readonly columns: readonly PrinterColumn[];
  readonly decoding: 'typed' | 'structural';
  /** Cells that no path can say. */
  readonly own?: Handlers['columns'];
}

/** How one Table is to be made. */
export interface TableRequest {
  /** The `apiVersion` of the Table and of the metadata in its rows: the meta group in `v1` or `v1beta1`. */
  readonly apiVersion: string;
  readonly include: IncludeObject;
  /** Milliseconds since 1970; ages count from here. */
  readonly now: number;
  /** Whether to leave out the columns, as a watch does after its first event. */
  readonly withoutColumns?: boolean;
}

/** The compiled columns of a resource. */
export interface TableLayout {
  readonly columns: readonly JsonObject[];
  /** The rows of an empty Table: null where a resource has no columns of its own. */
  readonly noRows: JsonValue;
  readonly cells: (object: ApiObject, now: number) => JsonValue[];
}

/** Their words are those of the fields in the documents of OpenAPI, as in the reference. */
const nameColumn: PrinterColumn = {
  name: 'Name',
  type: 'string',
  format: 'name',
  description: columnWords.name,
  jsonPath: '.metadata.name',
};
const ageColumn: PrinterColumn = {
  name: 'Age',
  type: 'date',
  description: columnWords.creationTimestamp,
  jsonPath: '.metadata.creationTimestamp',
};
const createdColumn: PrinterColumn = { ...ageColumn, name: 'Created At' };

/** Compiles a resource's columns; done once per resource, so that a row costs its reads only. */
export function compileTable(source: TableSource): TableLayout {
  const own = source.columns.length > 0;
  if (!own && source.decoding === 'typed') return defaultLayout;
  const columns = own ? source.columns : [ageColumn];
  const all = columns.some(({ name }) => name === nameColumn.name) ? columns : [nameColumn, ...columns];
  const readers = all.map((column) => readerOf(column, source));
  return {
    columns: all.map((column) => columnDefinition(column, source.decoding)),
    noRows: [],
    cells: (object, now) => cellsOf(readers, object, now),
  };
}

/** Work that a row may cost: values that paths look at, each as much as a few characters of cells. */
const mostWork = 8_000_000;
const workPerRead = 40;

/**
 * The cells of a row, left to right. The first of them may be of any size, and so may the object that paths search; what
 * would cost more than a row may is null, so that thousands of columns do not show the same thousands of times.
 */
function cellsOf(readers: readonly ObjectCell[], object: ApiObject, now: number): JsonValue[] {
  const reads = { left: mostWork / workPerRead };
  return readers.map((read) => {
    if (reads.left <= 0) return null;
    const cell = read(object, now, reads);
    if (typeof cell === 'string') reads.left -= cell.length / workPerRead;
    return cell;
  });
}

/** Built-in kinds without columns of their own show their name and creation time, which is not made an age. */
const defaultLayout: TableLayout = {
  columns: [nameColumn, createdColumn].map((column) => columnDefinition(column, 'typed')),
  noRows: null,
  cells: ({ metadata }) => [metadata.name ?? '', metadata.creationTimestamp ?? null],
};

type ObjectCell = (object: ApiObject, now: number, reads: Reads) => JsonValue;

function readerOf(column: PrinterColumn, { decoding, own = {} }: TableSource): ObjectCell {
  const read: CellReader = compileCell(column, decoding);
  const cell = getOwn(own, column.name);
  if (cell === undefined) return read;
  return (object, now, reads) => cell(object, now) ?? read(object, now, reads);
}

function columnDefinition(
  { name, type, format, description, priority, jsonPath }: PrinterColumn,
  decoding: TableSource['decoding'],
): JsonObject {
  const standard =
    decoding === 'structural' ? `Custom resource definition column (in JSONPath format): ${jsonPath}` : '';
  return { name, type, format: format ?? '', description: description || standard, priority: priority ?? 0 };
}

/** A Table of objects; `metadata` is the list's, or for a single object what identifies its state. */
export function toTable(
  layout: TableLayout,
  objects: readonly ApiObject[],
  metadata: JsonObject,
  request: TableRequest,
): JsonObject {
  const rows = objects.map((object) => toRow(layout, object, request));
  return {
    kind: 'Table',
    apiVersion: request.apiVersion,
    metadata,
    columnDefinitions: request.withoutColumns ? null : [...layout.columns],
    rows: rows.length === 0 ? layout.noRows : rows,
  };
}

/** The row of an object. */
export function toRow(layout: TableLayout, object: ApiObject, request: TableRequest): JsonObject {
  return { cells: layout.cells(object, request.now), object: rowObject(object, request) };
}

function rowObject(object: ApiObject, { include, apiVersion }: TableRequest): JsonValue {
  if (include === 'None') return null;
  return include === 'Object' ? object : partialMetadata(object, apiVersion);
}

/** An object without anything but its metadata. */
export function partialMetadata({ metadata }: ApiObject, apiVersion: string): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata };
}

/** A list of objects without anything but their metadata; items are null where there are none. */
export function partialMetadataList(
  objects: readonly ApiObject[],
  metadata: JsonObject,
  apiVersion: string,
): JsonObject {
  const items = objects.length === 0 ? null : objects.map((object) => partialMetadata(object, apiVersion));
  return { kind: 'PartialObjectMetadataList', apiVersion, metadata, items };
}

/** Reads the query parameter `includeObject`; empty is `Metadata`. */
export function readIncludeObject(text: string): Result<IncludeObject> {
  if (text === '') return { ok: true, value: 'Metadata' };
  if (text === 'None' || text === 'Metadata' || text === 'Object') return { ok: true, value: text };
  const { message } = invalidValue('includeObject', text, "must be 'Metadata', 'Object', 'None', or empty");
  return { ok: false, failure: badRequest(`Unable to convert to Table as requested: includeObject: ${message}`) };
}
