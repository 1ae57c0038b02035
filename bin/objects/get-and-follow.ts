/** `kindforge get --watch`: prints objects, and prints them again as they change. */
import { type AnswerForm, answersFor, objectsOf, type Reading } from './answers.js';
import { follow, revisionOf } from './follow.js';
import { objectPrinter } from './print/event-printer.js';
import type { OutputFormat } from './print/output-format.js';
import { acceptFor } from './print/table.js';
import type { Printing } from './printing.js';
import { pathOf } from './requests.js';
import { type Asked, fullName } from './resources.js';
import { selectorsOf, tellGone, watchable } from './watch.js';

export interface Following extends Reading {
  readonly format: OutputFormat;
  readonly headers?: boolean;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called before the first request. */
  readonly onStart?: () => void;
}

/**
 * Resolves once the signal ends it, or at once where what is named is not there. Rejects with a `Refusal`, or as
 * requests do.
 */
export async function getAndFollow(getting: Following, asked: readonly Asked[], printing: Printing): Promise<void> {
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
  // The named object is not there, which the user has been told.
  if (from === undefined) return;
  const path = pathOf(resource, getting.allNamespaces ? undefined : target.namespace);
  const followed = { path, accept: form.accept, query: selectorsOf(getting, names), from, signal };
  await follow(send, followed, { onEvent: print, onGone: tellGone(printing) });
}
