/** `kindforge watch`: prints changes of objects as they happen. */
import { fieldTerm } from '../../client/resource/field-terms.js';
import { follow, revisionOf } from './follow.js';
import { eventPrinter } from './print/event-printer.js';
import { readOutput } from './print/output-format.js';
import { acceptFor } from './print/table.js';
import type { Printing } from './printing.js';
import { Refusal } from './refusal.js';
import { pathOf, type Sender, senderOf } from './requests.js';
import { type Asked, discoverAll, fullName, readAsked } from './resources.js';
import type { Target } from './target.js';

export interface WatchRequest {
  /** A resource, and the name of one object if only that is meant. */
  readonly words: readonly string[];
  /** As `readOutput` reads it. */
  readonly output: string;
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

/** Resolves once the signal ends it. Rejects with a `Refusal`, or as requests do. */
export async function runWatch(target: Target, request: WatchRequest, printing: Printing): Promise<void> {
  const format = readOutput(request.output);
  const { resource, names } = watchable(readAsked(request.words, await discoverAll(target.client)));
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

/** The one resource that can be watched at a time. Throws a `Refusal` where there are more. */
export function watchable(asked: readonly Asked[]): Asked {
  const [first, ...others] = asked;
  if (first && others.length === 0 && first.names.length <= 1) return first;
  throw new Refusal('a watch is of one resource', 'Start one watch for each resource, or for each object');
}

/** The query that selects the objects of a request, of which one may be named. */
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
    error('the history that the watch needs is gone; what follows is the present state');

async function presentRevision(send: Sender, path: string, signal: AbortSignal): Promise<string | undefined> {
  return revisionOf(await send.read({ method: 'GET', path, query: { limit: '1' }, signal }));
}
