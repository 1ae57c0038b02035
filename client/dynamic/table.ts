/** Reads objects as the table that the server makes for people. */

import { type ObjectRequest, openRequest, type Requester, requestObject } from '../requests.js';
import { fieldTerm } from '../resource/field-terms.js';
import { forms } from '../resource/formats.js';
import type { ListOptions, WatchOptions } from '../resource/options.js';
import { optionParts } from '../resource/parameters.js';
import { pathsOf } from '../resource/paths.js';
import type { PartialObject, Table, TableColumn } from '../resource/subresource-types.js';
import type { ApiObjectLike } from '../types.js';
import { readWatch } from '../watch.js';
import type { ServedKind } from './types.js';

/** The objects to show. */
export interface TablePlace {
  /** Default: all namespaces. */
  readonly namespace?: string;
  /** The name of one object. Default: all objects. */
  readonly name?: string;
  /** How much of the object each row contains. Default: its metadata. */
  readonly includeObject?: 'None' | 'Metadata' | 'Object';
}

/** A change in a watch of tables: the columns, and one row. */
export interface TableEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly table: Table;
}

/** A server without tables answers with the objects. */
const form = `${forms.table},application/json`;

/** Reads one list or one object as a table. For servers without tables, the columns are the name and the age. */
export async function readTable(
  requester: Requester,
  kind: ServedKind,
  { namespace, name, includeObject, ...options }: TablePlace & ListOptions = {},
): Promise<Table> {
  const answer = await requestObject<TableAnswer>(
    requester,
    requestFor(kind, { namespace, name, includeObject }, options),
  );
  return toTable(answer);
}

/** Yields each change as a table of one row. Every table has the columns, although the server sends them only once. */
export async function* watchTable(
  requester: Requester,
  kind: ServedKind,
  { namespace, name, includeObject, ...options }: TablePlace & Omit<WatchOptions, 'allowWatchBookmarks'> = {},
): AsyncGenerator<TableEvent, void, undefined> {
  const one = name === undefined ? {} : { fieldSelector: fieldTerm('metadata.name', name) };
  const { parameters, ...request } = requestFor(kind, { namespace, includeObject }, { ...options, ...one });
  const watching = { ...parameters, watch: true, allowWatchBookmarks: true };
  const open = () => openRequest(requester, { ...request, parameters: watching });
  let columns: TableColumn[] = [];
  for await (const { type, object } of readWatch<TableAnswer & ApiObjectLike>(open, false)) {
    if (type === 'BOOKMARK') continue;
    const table = toTable(object);
    if (table.columnDefinitions.length > 0) columns = table.columnDefinitions;
    yield { type, table: { ...table, columnDefinitions: columns } };
  }
}

interface ColumnSpan {
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
  readonly includeObject: string | undefined;
}

function requestFor(
  kind: ServedKind,
  { namespace, name, includeObject }: ColumnSpan,
  options: ListOptions,
): ObjectRequest {
  const { parameters, ...rest } = optionParts(options);
  const paths = pathsOf(kind, kind.group);
  return {
    method: 'GET',
    path: name === undefined ? paths.collection(namespace) : paths.object(namespace, name),
    accept: form,
    parameters: { ...parameters, includeObject },
    ...rest,
  };
}

/** A table, a list of objects, or an object. */
type TableAnswer = Partial<Omit<Table, 'kind'>> & { readonly kind: string; readonly items?: PartialObject[] | null };

function toTable(answer: TableAnswer): Table {
  const { kind, metadata = {}, apiVersion = 'meta.k8s.io/v1' } = answer;
  if (kind === 'Table') {
    const { columnDefinitions, rows } = answer;
    return { apiVersion, kind, metadata, columnDefinitions: columnDefinitions ?? [], rows: rows ?? [] };
  }
  const objects = 'items' in answer ? (answer.items ?? []) : isObject(answer) ? [answer] : [];
  return {
    apiVersion: 'meta.k8s.io/v1',
    kind: 'Table',
    metadata,
    columnDefinitions: plainColumns,
    rows: objects.map((object) => ({ cells: [object.metadata.name, object.metadata.creationTimestamp], object })),
  };
}

const isObject = (answer: object): answer is PartialObject => 'metadata' in answer && 'apiVersion' in answer;

const plainColumns: TableColumn[] = [
  { name: 'Name', type: 'string', format: 'name', description: 'Name of the object.', priority: 0 },
  { name: 'Created', type: 'date', format: '', description: 'When the object was created.', priority: 0 },
];
