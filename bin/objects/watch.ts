/** `kindforge watch`: prints changes of objects as they happen. */
import { isConnectionError, isGone, stringifyJson } from '../../client/index.js';
import { fieldTerm } from '../../client/resource/field-terms.js';
import { readWatch } from '../../client/watch.js';
import type { Printing } from './printing.js';
import { Refusal } from './refusal.js';
import { pathOf, type Sender, senderOf } from './requests.js';
import { discoverAll, fullName, readAsked } from './resources.js';
import { acceptTable, alignColumns, type Column, cellsOf, readTable } from './table.js';
import type { Target } from './target.js';
import { fieldsOf, textOf } from './values.js';

export interface WatchRequest {
  /** A resource, and the name of one object if only that is meant. */
  readonly words: readonly string[];
  readonly output: 'table' | 'wide' | 'json' | 'name';
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  /** Leaves out the state at the start. */
  readonly changesOnly?: boolean;
  /** Called once the server is known to have the resource, before the watch begins. */
  readonly onStart?: () => void;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/** Pauses before a watch that broke off begins again, in ms; no answer after the last one is an error. */
const pauses = [100, 500, 2000, 5000, 10_000];

/** Resolves once the signal ends it. Rejects with a `Refusal`, or as requests do. */
export async function runWatch(target: Target, request: WatchRequest, printing: Printing): Promise<void> {
  const asked = readAsked(request.words, await discoverAll(target.client));
  const [first, ...others] = asked;
  if (!first || others.length > 0 || first.names.length > 1) {
    throw new Refusal('a watch is of one resource', 'Start one watch for each resource, or for each object');
  }
  const { resource, names } = first;
  const send = senderOf(target.client, (warning) => printing.error(`warning: ${warning}`));
  const path = pathOf(resource, request.allNamespaces ? undefined : target.namespace);
  const namespaces = request.allNamespaces === true && resource.scope === 'Namespaced';
  const print = eventPrinter(fullName(resource), request.output, namespaces, printing);
  const named = names[0] === undefined ? undefined : fieldTerm('metadata.name', names[0]);
  const query = {
    watch: 'true',
    allowWatchBookmarks: 'true',
    labelSelector: request.selector,
    fieldSelector: [request.fieldSelector, named].filter((one) => one !== undefined).join(',') || undefined,
  };
  request.onStart?.();
  let from = request.changesOnly ? await presentRevision(send, path, request.signal) : undefined;
  for (let broken = 0; !request.signal.aborted; ) {
    try {
      for await (const [type, object] of events(send, path, { ...query, resourceVersion: from }, request)) {
        broken = 0;
        from = revisionOf(object) ?? from;
        if (type !== 'BOOKMARK') print(type, object);
      }
    } catch (error) {
      if (request.signal.aborted) return;
      if (isGone(error)) {
        printing.error('the history that the watch needs is gone; what follows is the present state');
        from = undefined;
        continue;
      }
      const pause = isConnectionError(error) && from !== undefined ? pauses[broken++] : undefined;
      if (pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

async function presentRevision(send: Sender, path: string, signal: AbortSignal): Promise<string> {
  const list = await send.read({ method: 'GET', path, query: { limit: '1' }, signal });
  return textOf(fieldsOf(fieldsOf(list).metadata).resourceVersion);
}

async function* events(
  send: Sender,
  path: string,
  query: Readonly<Record<string, string | undefined>>,
  { output, signal }: WatchRequest,
): AsyncGenerator<readonly [string, unknown]> {
  const accept = output === 'json' || output === 'name' ? 'application/json' : acceptTable;
  const open = () => send.open({ method: 'GET', path, query, accept, signal });
  for await (const { type, object } of readWatch<unknown>(open, true)) yield [type, object];
}

/** The revision of an object, or of the object in the row of a Table. */
function revisionOf(object: unknown): string | undefined {
  const { metadata, rows } = fieldsOf(object);
  const own = textOf(fieldsOf(metadata).resourceVersion);
  if (own !== '') return own;
  const [row] = Array.isArray(rows) ? rows : [];
  return textOf(fieldsOf(fieldsOf(fieldsOf(row).object).metadata).resourceVersion) || undefined;
}

type PrintEvent = (type: string, object: unknown) => void;

/** A line per event. The heading comes with the first one. */
function eventPrinter(
  resource: string,
  output: WatchRequest['output'],
  namespaces: boolean,
  { out }: Printing,
): PrintEvent {
  if (output === 'json') return (type, object) => out(stringifyJson({ type, object }));
  if (output === 'name') {
    return (type, object) => out(`${type} ${resource}/${textOf(fieldsOf(fieldsOf(object).metadata).name)}`);
  }
  let columns: readonly Column[] | undefined;
  // Wide enough for most: later lines cannot move those that are printed.
  const widths = ['MODIFIED'.length, 20];
  return (type, object) => {
    const table = readTable(object);
    const isFirst = columns === undefined;
    // Only the first event of a watch names the columns.
    columns = table.columns.length > 0 ? table.columns : (columns ?? []);
    const [heading = [], ...rows] = cellsOf({ columns, rows: table.rows }, { wide: output === 'wide', namespaces });
    const lines = [...(isFirst ? [['EVENT', ...heading]] : []), ...rows.map((cells) => [type, ...cells])];
    for (const line of alignColumns(lines, widths)) out(line);
  };
}
