/** The verb `watch`: sends the state as ADDED events if the client wants it, then every change, once and in order. */
import type { Result } from '../contract/index.js';
import type { ApiResponse, StreamSink } from '../request/api-request.js';
import { readRepresentation } from '../request/representation/negotiate.js';
import { answerFailure, warningHeaders } from '../request/responses.js';
import type { VerbRequest } from '../request/verb-request.js';
import { eventStream, eventStreamAccept, lines, resumed } from './framing.js';
import { readPage } from './list.js';
import type { ListOptions } from './list-options.js';
import { Watcher, type WatchForm, type WatchStart } from './watcher.js';

/** Watches the collection or object that the path names. */
export async function watch(verb: VerbRequest, given: ListOptions): Promise<ApiResponse> {
  const accept = eventStreamAccept(verb);
  const representation = readRepresentation(verb, 'stream', accept);
  if (!representation.ok) return answerFailure(verb, representation.failure);
  const read = accept === undefined ? { ok: true as const, value: given } : resumed(verb, given);
  if (!read.ok) return answerFailure(verb, read.failure);
  const options = read.value;
  const form: WatchForm = { representation: representation.value, framing: accept === undefined ? lines : eventStream };
  const watcher = (sink: StreamSink): Watcher => new Watcher(verb, options, form, sink);
  const stream = { contentType: form.framing.contentType(form.representation), headers: warningHeaders(verb) };
  if (options.sendInitialEvents && (options.revision ?? 0) > verb.services.store.revision) {
    // Answers at once, before the store reaches the revision. If that fails, sends the failure in the stream.
    return { code: 200, ...stream, body: { stream: (sink) => watcher(sink).startAfter(watchStart(verb, options)) } };
  }
  const start = await watchStart(verb, options);
  if (!start.ok) return answerFailure(verb, start.failure);
  return { code: 200, ...stream, body: { stream: (sink) => watcher(sink).start(start.value) } };
}

async function watchStart(verb: VerbRequest, options: ListOptions): Promise<Result<WatchStart>> {
  const { revision, sendInitialEvents } = options;
  const wantsState = sendInitialEvents ?? (revision === undefined || revision === 0);
  if (!wantsState) {
    const failure = revision === undefined ? await verb.services.store.confirm() : undefined;
    if (failure) return { ok: false, failure };
    return { ok: true, value: { from: revision ? revision : verb.services.store.revision } };
  }
  const whole: ListOptions = { ...options, limit: 0, continueToken: '', match: undefined };
  const page = await readPage(verb, whole);
  return page.ok ? { ok: true, value: { from: page.value.revision, initial: page.value.entries } } : page;
}
