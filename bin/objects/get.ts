/** `kindforge get`: prints objects of a server. */
import { type DiscoveredResource, isNotFound } from '../../client/index.js';
import { printObjects } from './output.js';
import type { Printing } from './printing.js';
import { pathOf, type Sender, senderOf } from './requests.js';
import { type Asked, discoverAll, fullName, readAsked } from './resources.js';
import type { Running } from './run-command.js';
import { acceptTable, alignColumns, cellsOf, readTable, type Table } from './table.js';
import type { Target } from './target.js';
import { fieldsOf, listOf, textOf } from './values.js';

/** How objects are printed. */
export type GetOutput = 'table' | 'wide' | 'json' | 'yaml' | 'name';

export interface GetRequest {
  /** A resource and names, or `resource/name` words; none with `list`. */
  readonly words: readonly string[];
  readonly output: GetOutput;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  /** False leaves out the line with the names of columns. */
  readonly headers?: boolean;
  /** Prints the resources of the server in place of objects. */
  readonly list?: boolean;
}

/** Objects per request. */
const chunk = '500';

/**
 * Resolves to whether all that was named is there; `tell` is told of each name that is not. Rejects with a `Refusal`, or as
 * requests do.
 */
export async function runGet(
  target: Target,
  request: GetRequest,
  { printing, tell }: Pick<Running, 'printing' | 'tell'>,
): Promise<boolean> {
  const discovery = await discoverAll(target.client);
  if (request.list) {
    printResources(discovery.resources, printing);
    return true;
  }
  let isWhole = true;
  const missing = (error: unknown): void => {
    isWhole = false;
    tell(error);
  };
  const send = senderOf(target.client, (warning) => printing.error(`warning: ${warning}`));
  const asked = readAsked(request.words, discovery);
  if (request.output === 'table' || request.output === 'wide') {
    for (const [i, one] of asked.entries()) {
      if (i > 0) printing.out('');
      await printTable({ send, target, request, missing }, one, printing);
    }
    return isWhole;
  }
  const objects: unknown[] = [];
  for (const one of asked) objects.push(...(await readObjects({ send, target, request, missing }, one)));
  const single = asked.length === 1 && asked[0]?.names.length === 1;
  if (objects.length === 0 && !isWhole) return false;
  printObjects(
    objects,
    request.output,
    single,
    asked.map(({ resource }) => resource),
    printing,
  );
  return isWhole;
}

/** A get under way. */
interface Getting {
  readonly send: Sender;
  readonly target: Target;
  readonly request: GetRequest;
  /** Called with the error of each name that is not there. */
  readonly missing: (error: unknown) => void;
}

function printResources(resources: readonly DiscoveredResource[], { out }: Printing): void {
  const lines = resources
    .filter(({ verbs }) => verbs.includes('get'))
    .map((resource) => [
      fullName(resource),
      resource.shortNames.join(','),
      resource.version,
      resource.scope === 'Namespaced' ? 'namespaces' : 'cluster',
      resource.kind,
    ]);
  for (const line of alignColumns([['RESOURCE', 'SHORT', 'VERSION', 'LIVES IN', 'KIND'], ...lines])) out(line);
}

/** The namespace of the request; none where all are meant. */
const within = ({ namespace }: Target, { allNamespaces }: GetRequest): string | undefined =>
  allNamespaces ? undefined : namespace;

async function printTable(getting: Getting, { resource, names }: Asked, printing: Printing): Promise<void> {
  const { target, request } = getting;
  const tables: Table[] = [];
  for await (const answer of answers(getting, { resource, names }, acceptTable)) {
    tables.push(readTable(answer));
  }
  const rows = tables.flatMap((table) => table.rows);
  if (rows.length === 0) {
    if (names.length > 0) return;
    const place = resource.scope === 'Cluster' || request.allNamespaces ? '' : ` in namespace ${target.namespace}`;
    printing.error(`no ${fullName(resource)}${place}`);
    return;
  }
  const namespaces = request.allNamespaces === true && resource.scope === 'Namespaced';
  const cells = cellsOf({ columns: tables[0]?.columns ?? [], rows }, { wide: request.output === 'wide', namespaces });
  for (const line of alignColumns(request.headers === false ? cells.slice(1) : cells)) printing.out(line);
}

async function readObjects(getting: Getting, asked: Asked): Promise<unknown[]> {
  const objects: unknown[] = [];
  for await (const answer of answers(getting, asked, 'application/json')) {
    const { items, apiVersion, kind } = fieldsOf(answer);
    if (!Array.isArray(items)) objects.push(answer);
    // Items of a list leave out what the list says of all.
    else
      objects.push(
        ...listOf(items).map((item) => ({ apiVersion, kind: textOf(kind).replace(/List$/, ''), ...fieldsOf(item) })),
      );
  }
  return objects;
}

/** The answer for each name, or each chunk of the list. */
async function* answers(
  { send, target, request, missing }: Getting,
  { resource, names }: Asked,
  accept: string,
): AsyncGenerator<unknown> {
  for (const name of names) {
    try {
      yield await send.read({ method: 'GET', path: pathOf(resource, target.namespace, name), accept });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      missing(error);
    }
  }
  if (names.length > 0) return;
  const path = pathOf(resource, within(target, request));
  let token: string | undefined;
  do {
    const query = {
      labelSelector: request.selector,
      fieldSelector: request.fieldSelector,
      limit: chunk,
      continue: token,
    };
    const answer = await send.read({ method: 'GET', path, query, accept });
    yield answer;
    token = textOf(fieldsOf(fieldsOf(answer).metadata).continue) || undefined;
  } while (token !== undefined);
}
