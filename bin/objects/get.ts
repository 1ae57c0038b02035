/** `kindforge get`: prints objects of a server. */
import type { DiscoveredResource } from '../../client/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { answersFor, objectsOf, type Reading } from './answers.js';
import { getAndFollow } from './get-and-follow.js';
import { printObjects } from './print/objects.js';
import { type OutputFormat, readOutput } from './print/output-format.js';
import { rowPrinter, tableOfObjects } from './print/rows.js';
import { sortBy } from './print/sort.js';
import { acceptFor, alignColumns, readTable } from './print/table.js';
import type { Printing } from './printing.js';
import { senderOf } from './requests.js';
import { type Asked, discoverAll, fullName, readAsked } from './resources.js';
import type { Running } from './run-command.js';
import type { Target } from './target.js';

export interface GetRequest {
  /** A resource and names, or `resource/name` words; none with `list`. */
  readonly words: readonly string[];
  /** As `readOutput` reads it. */
  readonly output: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  /** The path of a value that objects are sorted by. */
  readonly sortBy?: string;
  /** False leaves out the line with the names of columns. */
  readonly headers?: boolean;
  /** Prints the resources of the server in place of objects. */
  readonly list?: boolean;
  /** Goes on with what changes, until the signal ends it. */
  readonly watch?: { readonly signal: AbortSignal; readonly onStart?: () => void };
}

/**
 * Resolves to whether all that was named is there; `tell` is told of each name that is not. Rejects with a `Refusal`, or as
 * requests do.
 */
export async function runGet(
  target: Target,
  request: GetRequest,
  { printing, tell }: Pick<Running, 'printing' | 'tell'>,
): Promise<boolean> {
  const format = readOutput(request.output);
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
  const getting: Getting = { ...request, request, format, send, target, missing };
  const asked = readAsked(request.words, discovery);
  if (request.watch) {
    if (request.sortBy !== undefined) printing.error('warning: --watch goes by time, so --sort-by is left aside');
    await getAndFollow({ ...getting, ...request.watch }, asked, printing);
  } else if (format.kind === 'table') {
    for (const [i, one] of asked.entries()) {
      if (i > 0) printing.out('');
      await printTable(getting, format, one, printing);
    }
  } else await printList(getting, format, asked, printing, () => isWhole);
  return isWhole;
}

/** A get under way. */
interface Getting extends Reading {
  readonly request: GetRequest;
  readonly format: OutputFormat;
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

async function printTable(
  getting: Getting,
  format: OutputFormat & { readonly kind: 'table' },
  asked: Asked,
  printing: Printing,
): Promise<void> {
  const { sortBy: path, headers } = getting.request;
  const form = { accept: acceptFor(format), wholeObjects: path !== undefined };
  const tables = [];
  for await (const answer of answersFor(getting, asked, form)) tables.push(readTable(answer));
  const rows = tables.flatMap((table) => table.rows);
  if (rows.length === 0) return tellNothing(getting, asked, printing);
  const sorted = path === undefined ? rows : sortBy(rows, path, ({ object }) => (isObject(object) ? object : {}));
  const namespaces = getting.allNamespaces === true && asked.resource.scope === 'Namespaced';
  const view = { wide: format.wide, namespaces, ...(headers === undefined ? {} : { headers }) };
  rowPrinter(view, printing)({ columns: tables[0]?.columns ?? [], rows: sorted });
}

function tellNothing({ allNamespaces, target }: Getting, { resource, names }: Asked, { error }: Printing): void {
  if (names.length > 0) return;
  const place = resource.scope === 'Cluster' || allNamespaces ? '' : ` in namespace ${target.namespace}`;
  error(`no ${fullName(resource)}${place}`);
}

async function printList(
  getting: Getting,
  format: Exclude<OutputFormat, { readonly kind: 'table' }>,
  asked: readonly Asked[],
  printing: Printing,
  isWhole: () => boolean,
): Promise<void> {
  const { sortBy: path, headers } = getting.request;
  const found: unknown[] = [];
  for (const one of asked) {
    for await (const answer of answersFor(getting, one, { accept: acceptFor(format) }))
      for (const object of objectsOf(answer)) found.push(object);
  }
  if (found.length === 0 && !isWhole()) return;
  const objects = path === undefined ? found : sortBy(found, path, (object) => (isObject(object) ? object : {}));
  if (format.kind === 'columns') {
    rowPrinter(headers === undefined ? {} : { headers }, printing)(tableOfObjects(objects, format.columns));
    return;
  }
  const single = asked.length === 1 && asked[0]?.names.length === 1;
  printObjects(
    objects,
    format,
    single,
    asked.map(({ resource }) => resource),
    printing,
  );
}
