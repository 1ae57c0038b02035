/** `kindforge watch`: prints changes of objects as they happen. */

import { discover, isConnectionError, isGone } from '../../client/index.js';
import { fieldTerm } from '../../client/resource/field-terms.js';
import { readWatch } from '../../client/watch.js';
import { textOf } from '../../runtime/objects/guards.js';
import { Refusal } from './failure.js';
import { readOutput } from './output-format.js';
import { eventPrinter } from './print-objects.js';
import { fieldsOf, type Printing } from './printing.js';
import { pathOf, type Sender, senderOf } from './requests.js';
import { type Asked, fullName, readAsked } from './resources.js';
import { acceptFor } from './table.js';
import type { Target } from './target.js';

export interface WatchRequest {
  /** A resource, and optionally the name of one object. */
  readonly words: readonly string[];
  /** The text that `readOutput` reads. */
  readonly output: string;
  readonly allNamespaces?: boolean;
  readonly selector?: string;
  readonly fieldSelector?: string;
  /** Leaves out the state at the start. */
  readonly changesOnly?: boolean;
  /** Called before the watch begins, if the server has the resource. */
  readonly onStart?: () => void;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/** Resolves once the signal ends it. Rejects with a `Refusal`, or as requests do. */
export async function runWatch(target: Target, request: WatchRequest, printing: Printing): Promise<void> {
  const format = readOutput(request.output);
  const { resource, names } = watchable(readAsked(request.words, await discover(target.client)));
  const send = senderOf(target.client, (warning) => printing.error(`warning: ${warning}`));
  const path = pathOf(resource, request.allNamespaces ? undefined : target.namespace);
  const namespaces = request.allNamespaces === true && resource.scope === 'Namespaced';
  request.onStart?.();
  const from = request.changesOnly ? await presentRevision(send, path, request.signal) : undefined;
  const followed = {
    path,
    accept: acceptFor(format),
    query: selectorsOf(request, names),
    from,
    signal: request.signal,
  };
  const onEvent = eventPrinter(format, fullName(resource), { namespaces }, printing);
  await follow(send, followed, { onEvent, onGone: tellGone(printing) });
}

/** Returns the one resource to watch. Throws a `Refusal` if there are more. */
export function watchable(asked: readonly Asked[]): Asked {
  const [first, ...others] = asked;
  if (first && others.length === 0 && first.names.length <= 1) return first;
  throw new Refusal(
    'a watch follows one resource, or one object',
    'Start one watch for each resource, or for each object',
  );
}

/** Returns the query that selects the objects of a request; the request may name one. */
export function selectorsOf(
  { selector, fieldSelector }: Pick<WatchRequest, 'selector' | 'fieldSelector'>,
  [name]: readonly string[],
): Readonly<Record<string, string | undefined>> {
  const named = name === undefined ? undefined : fieldTerm('metadata.name', name);
  const fields = [fieldSelector, named].filter((one) => one !== undefined).join(',');
  return { labelSelector: selector, fieldSelector: fields || undefined };
}

export const tellGone =
  ({ error }: Printing) =>
  (): void =>
    error('the history that the watch needs is gone; the present state follows');

async function presentRevision(send: Sender, path: string, signal: AbortSignal): Promise<string | undefined> {
  return revisionOf(await send.read({ method: 'GET', path, query: { limit: '1' }, signal }));
}

interface Followed {
  readonly path: string;
  readonly accept: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Changes after this revision are reported. Default: the present state comes first. */
  readonly from: string | undefined;
  /** Ends the watch. */
  readonly signal: AbortSignal;
}

/** Receives the events in order. After `onGone`, the present state follows, because the history has expired. */
interface Followers {
  readonly onEvent: (type: string, object: unknown) => void;
  readonly onGone: () => void;
}

/** Milliseconds before each retry of a broken watch. If the last retry fails too, the watch fails. */
const pauses = [100, 500, 2000, 5000, 10_000];

/** Resolves once the signal ends it. Rejects as requests do. */
export async function follow(
  send: Sender,
  { path, accept, query, from, signal }: Followed,
  to: Followers,
): Promise<void> {
  let revision = from;
  for (let broken = 0; !signal.aborted; ) {
    const open = () =>
      send.open({
        method: 'GET',
        path,
        accept,
        signal,
        query: { ...query, watch: 'true', allowWatchBookmarks: 'true', resourceVersion: revision },
      });
    try {
      for await (const { type, object } of readWatch<unknown>(open, true)) {
        broken = 0;
        revision = revisionOf(object) ?? revision;
        if (type !== 'BOOKMARK') to.onEvent(type, object);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (isGone(error)) {
        to.onGone();
        revision = undefined;
        continue;
      }
      const pause = isConnectionError(error) && revision !== undefined ? pauses[broken++] : undefined;
      if (pause === undefined) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Returns the revision of an object, of a list, or of the object in the row of a Table. */
export function revisionOf(object: unknown): string | undefined {
  const { metadata, rows } = fieldsOf(object);
  const own = textOf(fieldsOf(metadata).resourceVersion);
  if (own !== '') return own;
  const [row] = Array.isArray(rows) ? rows : [];
  return textOf(fieldsOf(fieldsOf(fieldsOf(row).object).metadata).resourceVersion) || undefined;
}
