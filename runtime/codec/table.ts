/** Tables: columns and rows of objects for clients to print. */
import type { ApiObject, Handlers, JsonObject, JsonValue, PrinterColumn, Result } from '../contract/index.js';
import { badRequest } from '../objects/failures.js';
import { invalidValue } from '../objects/field-error.js';
import { writeJson } from '../objects/from-below.js';
import { getOwn } from '../objects/guards.js';
import { byCodePoint, formatNumber } from '../objects/printing.js';
import { humanDuration, timeMillis } from '../objects/scan/time.js';
import { compileFirstValue, type FirstValue, type Reads } from '../objects/selectors/json-path.js';
import { columnWords } from '../schema/openapi/meta-fields.js';

/** How much of its object each row contains. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

/** The parts of a resource that define its Table. */
export interface TableSource {
  readonly columns: readonly PrinterColumn[];
  readonly decoding: 'typed' | 'structural';
  /** Functions for cells that no path can express. */
  readonly own?: Handlers['columns'];
}

export interface TableRequest {
  /** The `apiVersion` of the Table and of the metadata in its rows: the meta group in `v1` or `v1beta1`. */
  readonly apiVersion: string;
  readonly include: IncludeObject;
  /** The time in milliseconds since 1970, to compute ages. */
  readonly now: number;
  /** Whether to leave out the columns. A watch does after its first event. */
  readonly withoutColumns?: boolean;
}

/** The compiled columns of a resource. */
export interface TableLayout {
  readonly columns: readonly JsonObject[];
  /** The rows of an empty Table: null for a resource without columns of its own. */
  readonly noRows: JsonValue;
  readonly cells: (object: ApiObject, now: number) => JsonValue[];
}

/** As in the reference, the descriptions are the same as in OpenAPI documents. */
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

/** Compiles the columns of a resource, once per resource. A row then costs only the reads of its cells. */
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

/**
 * The most work for a row, in characters of its cells. Each value that a path visits counts as `workPerRead`
 * characters.
 */
const mostWork = 8_000_000;
const workPerRead = 40;

/**
 * Returns the cells of a row, from left to right. The first cell and the object may have any size. Cells beyond the
 * limit of a row are null, so thousands of columns cannot repeat the same text thousands of times.
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

/** Built-in kinds without columns of their own show their name and their creation time as a timestamp. */
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

/** Makes a Table of objects. `metadata` is the metadata of the list, or has the version of a single object. */
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

/** Makes the row of an object. */
export function toRow(layout: TableLayout, object: ApiObject, request: TableRequest): JsonObject {
  return { cells: layout.cells(object, request.now), object: rowObject(object, request) };
}

function rowObject(object: ApiObject, { include, apiVersion }: TableRequest): JsonValue {
  if (include === 'None') return null;
  return include === 'Object' ? object : partialMetadata(object, apiVersion);
}

/** Returns the object with only its metadata. */
export function partialMetadata({ metadata }: ApiObject, apiVersion: string): JsonObject {
  return { kind: 'PartialObjectMetadata', apiVersion, metadata };
}

/** Returns a list of objects with only their metadata; items are null for an empty list. */
export function partialMetadataList(
  objects: readonly ApiObject[],
  metadata: JsonObject,
  apiVersion: string,
): JsonObject {
  const items = objects.length === 0 ? null : objects.map((object) => partialMetadata(object, apiVersion));
  return { kind: 'PartialObjectMetadataList', apiVersion, metadata, items };
}

/** Reads the query parameter `includeObject`. Empty means `Metadata`. */
export function readIncludeObject(text: string): Result<IncludeObject> {
  if (text === '') return { ok: true, value: 'Metadata' };
  if (text === 'None' || text === 'Metadata' || text === 'Object') return { ok: true, value: text };
  const { message } = invalidValue('includeObject', text, "must be 'Metadata', 'Object', 'None', or empty");
  return { ok: false, failure: badRequest(`Unable to convert to Table as requested: includeObject: ${message}`) };
}

/** Reads a cell from an object. `now` is in milliseconds since 1970. All cells of a row share `reads`. */
type CellReader = (object: JsonValue, now: number, reads?: Reads) => JsonValue;

/**
 * Compiles a column. Custom resources (`structural`) show null for absent values and for values of another type.
 * Built-in kinds (`typed`) show the zero of the type for absent values, and scalars unchanged.
 */
export function compileCell(column: PrinterColumn, decoding: 'typed' | 'structural'): CellReader {
  const compiled = compileFirstValue(column.jsonPath);
  if (!compiled.ok) return () => null;
  const read: FirstValue = compiled.value;
  if (column.age || column.type === 'date') {
    const missing = decoding === 'typed' ? '<unknown>' : null;
    return (object, now, reads) => ageCell(read(object, reads), now, missing);
  }
  if (decoding === 'typed') {
    const zero = zeroOf(column.type);
    return (object, _, reads) => typedCell(read(object, reads) ?? zero);
  }
  const { type } = column;
  return (object, _, reads) => structuralCell(read(object, reads), type);
}

function zeroOf(type: PrinterColumn['type']): JsonValue {
  if (type === 'boolean') return false;
  return type === 'integer' || type === 'number' ? 0 : '';
}

function typedCell(value: JsonValue): JsonValue {
  return typeof value === 'object' ? compactText(value) : value;
}

function ageCell(value: JsonValue | undefined, now: number, missing: string | null): JsonValue {
  if (typeof value !== 'string') return missing;
  return formatAge(value, now);
}

/**
 * Returns the time since a timestamp, such as `5m`. Returns `<unknown>` for an empty text, and `<invalid>` for other
 * texts.
 */
export function formatAge(time: string, now: number): string {
  if (time === '' || time === 'null') return '<unknown>';
  const moment = timeMillis(time);
  return moment === undefined ? '<invalid>' : humanDuration(now - moment);
}

/** Returns a cell for the first value of a path. */
function structuralCell(value: JsonValue | undefined, type: PrinterColumn['type']): JsonValue {
  if (value === undefined) return null;
  switch (type) {
    case 'string':
      return cellText(value);
    case 'integer':
      return typeof value === 'number' ? Math.trunc(value) : typeof value === 'bigint' ? value : null;
    case 'number':
      return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    default:
      return null;
  }
}

function cellText(value: JsonValue): string {
  if (value === null) return '<no value>';
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'object' ? compactText(value) : formatNumber(value);
}

/** Returns JSON in one line with sorted keys and with escaped characters of markup. */
function compactText(value: JsonValue): string {
  return writeJson(value, { order: byCodePoint }).replace(
    /[<>&]/g,
    (char) => `\\u00${char.charCodeAt(0).toString(16)}`,
  );
}
