/** `kindforge get`: prints objects of a server. */
import { type DiscoveredResource, discover } from '../../client/index.js';
import type { JsonValue } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { compareQuantities, parseQuantity } from '../../runtime/objects/scan/quantity.js';
import { Refusal } from './failure.js';
import { type OutputFormat, readOutput } from './output-format.js';
import { objectPrinter, printObjects } from './print-objects.js';
import type { Printing } from './printing.js';
import { type AnswerForm, answersFor, objectsOf, pathOf, type Reading, senderOf } from './requests.js';
import { type Asked, fullName, readAsked } from './resources.js';
import type { Running } from './run-command.js';
import { acceptFor, alignColumns, readTable, rowPrinter, tableOfObjects } from './table.js';
import type { Target } from './target.js';
import { relaxedPath } from './template.js';
import { follow, revisionOf, selectorsOf, tellGone, watchable } from './watch.js';

export interface GetRequest {
  /** A resource and names, or `resource/name` words; empty with `list`. */
  readonly words: readonly string[];
  /** The text that `readOutput` reads. */
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
  /** Goes on with changes, until the signal ends it. */
  readonly watch?: { readonly signal: AbortSignal; readonly onStart?: () => void };
}

/**
 * Resolves to whether all named objects exist; calls `tell` for each missing object. Rejects with a `Refusal`, or as
 * requests do.
 */
export async function runGet(
  target: Target,
  request: GetRequest,
  { printing, tell }: Pick<Running, 'printing' | 'tell'>,
): Promise<boolean> {
  const format = readOutput(request.output);
  const discovery = await discover(target.client);
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
    if (request.sortBy !== undefined)
      printing.error('warning: --watch prints objects in order of time, and ignores --sort-by');
    await getAndFollow({ ...getting, ...request.watch }, asked, printing);
  } else if (format.kind === 'table') {
    for (const [i, one] of asked.entries()) {
      if (i > 0) printing.out('');
      await printTable(getting, format, one, printing);
    }
  } else await printList(getting, format, asked, printing, () => isWhole);
  return isWhole;
}

/** A running get. */
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

interface Following extends Reading {
  readonly format: OutputFormat;
  readonly headers?: boolean;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  /** Called before the first request. */
  readonly onStart?: () => void;
}

/**
 * Resolves once the signal ends it, or at once if the named object does not exist. Rejects with a `Refusal`, or as
 * requests do.
 */
async function getAndFollow(getting: Following, asked: readonly Asked[], printing: Printing): Promise<void> {
  const { send, target, format, signal, headers } = getting;
  const one = watchable(asked);
  const { resource, names } = one;
  const namespaces = getting.allNamespaces === true && resource.scope === 'Namespaced';
  const view = { namespaces, ...(headers === undefined ? {} : { headers }) };
  const print = objectPrinter(format, fullName(resource), view, printing);
  const form: AnswerForm = { accept: acceptFor(format) };
  getting.onStart?.();
  let from: string | undefined;
  for await (const answer of answersFor(getting, one, form)) {
    from = revisionOf(answer);
    for (const part of format.kind === 'table' ? [answer] : objectsOf(answer)) print('', part);
  }
  // The named object does not exist, and the command has reported this.
  if (from === undefined) return;
  const path = pathOf(resource, getting.allNamespaces ? undefined : target.namespace);
  const followed = { path, accept: form.accept, query: selectorsOf(getting, names), from, signal };
  await follow(send, followed, { onEvent: print, onGone: tellGone(printing) });
}

/**
 * Sorts items by a value. Items without the value come first, and equal items keep their order. Throws a `Refusal` if
 * no object has the value, or if values cannot be compared.
 */
export function sortBy<T>(items: readonly T[], path: string, objectOf: (item: T) => JsonValue): readonly T[] {
  const read = relaxedPath(path);
  const keyed = items.map((item) => ({ item, key: read(objectOf(item))[0] }));
  if (items.length > 0 && keyed.every(({ key }) => key === undefined)) {
    throw new Refusal(`--sort-by: no object has ${path}`, 'kindforge explain RESOURCE --recursive prints the fields');
  }
  return keyed.sort((a, b) => order(a.key, b.key)).map(({ item }) => item);
}

function order(a: JsonValue | undefined, b: JsonValue | undefined): number {
  const [isThere, isOtherThere] = [a ?? undefined, b ?? undefined].map((value) => value !== undefined);
  if (!isThere || !isOtherThere) return Number(isThere) - Number(isOtherThere);
  if (isNumber(a) && isNumber(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'string' && typeof b === 'string') return orderOfTexts(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  throw new Refusal(`--sort-by: ${kindOf(a)} and ${kindOf(b)} have no order`, 'Sort by numbers, texts or times');
}

const isNumber = (value: JsonValue | undefined): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const kindOf = (value: JsonValue | undefined): string =>
  Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;

/** Compares quantities by amount, and other texts by characters and by the numbers in them: `a2` comes before `a10`. */
function orderOfTexts(a: string, b: string): number {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  if (left.ok && right.ok) return compareQuantities(left.value, right.value);
  const [parts, others] = [a, b].map((text) => text.match(/\d+|\D+/g) ?? []);
  for (const [i, part] of (parts ?? []).entries()) {
    const other = others?.[i];
    if (other === undefined) return 1;
    const difference = orderOfParts(part, other);
    if (difference !== 0) return difference;
  }
  return (parts?.length ?? 0) - (others?.length ?? 0);
}

function orderOfParts(a: string, b: string): number {
  if (!/^\d/.test(a) || !/^\d/.test(b)) return byCodePoint(a, b);
  const [left, right] = [BigInt(a), BigInt(b)];
  return left < right ? -1 : left > right ? 1 : a.length - b.length;
}
