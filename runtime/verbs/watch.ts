/** The verb `watch`: the state as ADDED events where asked for, then every change, once and in order. */
import type { Entry, Failure, Result, Revision, StoreEvent, Subscription, WatchSink } from '../contract/index.js';
import { expired, toStatus } from '../objects/status.js';
import { prepareToRead } from '../pipeline/remote-versions.js';
import { answerFailure } from './answers.js';
import { eventStream, eventStreamAccept, resumed } from './event-stream.js';
import type { Answer, StreamSink } from './exchange.js';
import { collectionPrefix, readPage } from './list.js';
import type { ListOptions } from './list-options.js';
import { type Representation, readRepresentation } from './representation.js';
import type { VerbRequest } from './verb-request.js';
import { warningHeaders } from './warnings.js';
import { entryFrame, errorFrame, eventFrame, seenAs, shownEntry, type WatchEventType } from './watch-frames.js';
import { lines, type WatchFraming } from './watch-framing.js';

/** Bytes that a watcher may fall behind before it is cut off; it then has to list and watch again. */
const maxBehindBytes = 16 * 1024 * 1024;

/** Events that may wait to be converted; a watcher whose webhook is slower than that has to list and watch again. */
const maxWaitingEvents = 10_000;

/** How often bookmarks are sent to those who allow them, milliseconds. */
const bookmarkIntervalMs = 60_000;

/** A watch without a timeout ends by itself after this and up to twice as long, seconds. */
const defaultTimeoutSeconds = 1800;

/** Watches the collection or object that the path names. */
export async function watch(verb: VerbRequest, given: ListOptions): Promise<Answer> {
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
    // The client hears at once that it is served, and within the stream what became of it.
    return { code: 200, ...stream, body: { stream: (sink) => watcher(sink).startAfter(watchStart(verb, options)) } };
  }
  const start = await watchStart(verb, options);
  if (!start.ok) return answerFailure(verb, start.failure);
  return { code: 200, ...stream, body: { stream: (sink) => watcher(sink).start(start.value) } };
}

/** What events are made into, and how they follow each other. */
interface WatchForm {
  readonly representation: Representation;
  readonly framing: WatchFraming;
}

interface WatchStart {
  /** Changes after this revision are delivered. */
  readonly from: Revision;
  /** State to send first, where it was asked for. */
  readonly initial?: readonly Entry[];
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

/** One client's watch. */
class Watcher implements WatchSink {
  readonly #verb: VerbRequest;
  readonly #options: ListOptions;
  readonly #representation: Representation;
  readonly #framing: WatchFraming;
  readonly #sink: StreamSink;
  readonly #timers: NodeJS.Timeout[] = [];
  #subscription: Subscription | undefined;
  #first = true;
  #stopped = false;
  #from: Revision = 0;
  #sent: Revision = 0;
  #allowedBehind = maxBehindBytes;
  /** Events that wait to be converted. */
  readonly #waiting: { readonly event: StoreEvent; readonly type: WatchEventType }[] = [];
  /** How the watch ends once the events that wait have been delivered. */
  #endedAs: 'compacted' | 'closed' | undefined;
  /** The resource is served in another way from now on, or no more. */
  readonly #onEnded = (): void => this.ended('closed');

  constructor(verb: VerbRequest, options: ListOptions, { representation, framing }: WatchForm, sink: StreamSink) {
    this.#verb = verb;
    this.#options = options;
    this.#representation = representation;
    this.#framing = framing;
    this.#sink = sink;
  }

  start({ from, initial }: WatchStart): () => void {
    this.#from = from;
    this.#sent = from;
    const ended = this.#verb.resource.defined?.ended;
    if (ended?.aborted) {
      this.ended('closed');
      return () => {};
    }
    ended?.addEventListener('abort', this.#onEnded);
    this.#tell(this.#framing.opening(initial !== undefined));
    if (initial) this.#sendState(initial);
    this.#tell(this.#framing.position(from, initial !== undefined));
    const { store } = this.#verb.services;
    // A revision that is still to come is not an error: the watch begins there once it is reached.
    const subscription = store.watch(collectionPrefix(this.#verb), Math.min(from, store.revision), this);
    if (typeof subscription === 'string') this.#tooOld(from);
    else {
      this.#subscription = subscription;
      this.#startTimers();
    }
    return () => this.#stop();
  }

  /** Starts as soon as it is known where from. */
  startAfter(start: Promise<Result<WatchStart>>): () => void {
    void start.then((found) => {
      if (this.#stopped) return;
      if (found.ok) this.start(found.value);
      else this.#fail(found.failure);
    });
    return () => this.#stop();
  }

  event(event: StoreEvent): void {
    if (event.revision <= this.#from) return;
    this.#sent = event.revision;
    const type = seenAs(event, this.#options.selection);
    if (type === undefined) return;
    if (this.#verb.resource.stored.remote) this.#deliverConverted(event, type);
    else this.#deliver(event, eventFrame(this.#verb.resource, this.#representation, event, type, this.#first));
  }

  /** Events that a webhook converts come in the order in which they happened, one batch after the other. */
  #deliverConverted(event: StoreEvent, type: WatchEventType): void {
    this.#waiting.push({ event, type });
    if (this.#waiting.length === 1) void this.#convertWaiting();
    if (this.#waiting.length <= maxWaitingEvents) return;
    this.#stop();
    this.#sink.destroy();
  }

  async #convertWaiting(): Promise<void> {
    const { resource } = this.#verb;
    while (this.#waiting.length > 0 && !this.#stopped) {
      const batch = this.#waiting.slice();
      const shown = batch.map(({ event, type }) => shownEntry(resource, event, type));
      const failure = await prepareToRead(resource, shown);
      if (this.#stopped) return;
      if (failure) {
        this.#stop();
        this.#fail(failure);
        return;
      }
      for (const [i, { event, type }] of batch.entries()) {
        const entry = shown[i];
        if (entry) this.#deliver(event, entryFrame(resource, this.#representation, entry, type, this.#first));
      }
      this.#waiting.splice(0, batch.length);
    }
    if (this.#endedAs && !this.#stopped) this.ended(this.#endedAs);
  }

  #deliver(event: StoreEvent, frame: Uint8Array): void {
    this.#first = false;
    this.#sink.write(this.#framing.change(frame, event.revision));
    if (this.#sink.buffered <= this.#allowedBehind) return;
    this.#stop();
    this.#sink.destroy();
  }

  ended(reason: 'compacted' | 'closed'): void {
    if (this.#waiting.length > 0 && !this.#stopped) {
      this.#endedAs = reason;
      return;
    }
    this.#stop();
    if (reason === 'compacted') this.#tooOld(this.#sent);
    else this.#sink.end();
  }

  #sendState(initial: readonly Entry[]): void {
    for (const entry of initial) {
      const frame = entryFrame(this.#verb.resource, this.#representation, entry, 'ADDED', this.#first);
      this.#first = false;
      this.#sink.write(this.#framing.state(frame));
      this.#allowedBehind += frame.length;
    }
    if (this.#options.sendInitialEvents && this.#options.allowWatchBookmarks) {
      this.#sendBookmark(this.#verb.services.endOfInitialEvents);
    }
  }

  #startTimers(): void {
    const seconds = this.#options.timeoutSeconds ?? defaultTimeoutSeconds * (1 + Math.random());
    this.#timers.push(setTimeout(() => this.ended('closed'), Math.min(seconds, 86_400) * 1000));
    const { keepAliveMs } = this.#framing;
    if (keepAliveMs)
      this.#timers.push(setInterval(() => this.#tell(this.#framing.position(this.#reached(), false)), keepAliveMs));
    if (!this.#options.allowWatchBookmarks) return;
    this.#timers.push(setInterval(() => this.#sendBookmark(), bookmarkIntervalMs));
  }

  #sendBookmark(endOfInitialEvents?: string): void {
    const ends = endOfInitialEvents !== undefined;
    const revision = ends ? this.#sent : this.#reached();
    const annotations = ends ? { [endOfInitialEvents]: 'true' } : undefined;
    const object = this.#representation.bookmark(this.#verb.resource, revision, annotations);
    this.#sink.write(this.#framing.change(this.#representation.frame('BOOKMARK', object), revision));
  }

  /** All events up to the store's revision have been handed over by the time it shows it. */
  #reached(): Revision {
    return Math.max(this.#verb.services.store.revision, this.#sent);
  }

  #tell(chunk: Uint8Array | undefined): void {
    if (chunk) this.#sink.write(chunk);
  }

  #tooOld(from: Revision): void {
    this.#fail(expired(`too old resource version: ${from} (${this.#verb.services.store.oldestRevision})`));
  }

  #fail(failure: Failure): void {
    const frame = errorFrame(this.#representation, toStatus(failure).body);
    this.#sink.write(this.#framing.failure(frame, failure.reason === 'Expired'));
    this.#sink.end();
  }

  #stop(): void {
    this.#stopped = true;
    this.#subscription?.stop();
    this.#subscription = undefined;
    this.#verb.resource.defined?.ended.removeEventListener('abort', this.#onEnded);
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.length = 0;
  }
}
