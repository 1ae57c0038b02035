/**
 * One client's watch: sends the state if the client wants it, then every change once and in order, at the client's
 * pace.
 */
import type {
  Entry,
  Failure,
  Result,
  Revision,
  StoreEvent,
  Subscription,
  WatchObserver,
  WatchScope,
  WatchSink,
} from '../contract/index.js';
import { expired, toStatus } from '../objects/status.js';
import type { StreamSink } from '../request/api-request.js';
import {
  entryFrame,
  errorFrame,
  eventFrame,
  seenAs,
  shownEntry,
  waitingFrame,
} from '../request/representation/frames.js';
import type { Representation, WatchEventType } from '../request/representation/representation.js';
import type { VerbRequest } from '../request/verb-request.js';
import type { ServedResource } from '../resource/served-resource.js';
import { prepareToRead } from '../resource/versions.js';
import type { WatchFraming } from './framing.js';
import { selectedPrefix } from './list.js';
import type { ListOptions } from './list-options.js';
import { WatchTimers } from './watch-timers.js';

/** The bytes that a waiting change counts in addition to its object. */
const changeBytes = 1024;

/**
 * The most unsent bytes for a client that catches up. The watcher makes further events once the client has taken these.
 */
const aheadBytes = 256 * 1024;

/** The interval of bookmarks in milliseconds, for clients that allow them. */
const bookmarkIntervalMs = 60_000;

/** A watch without a timeout ends by itself after this many seconds, or up to twice as many. */
const defaultTimeoutSeconds = 1800;

/** The representation of events, and their format on the wire. */
export interface WatchForm {
  readonly representation: Representation;
  readonly framing: WatchFraming;
}

export interface WatchStart {
  /** The watch delivers changes after this revision. */
  readonly from: Revision;
  /** The state to send first, if the client wants it. */
  readonly initial?: readonly Entry[];
}

/** A change that waits for earlier ones. */
interface WaitingChange {
  readonly event: StoreEvent;
  readonly type: WatchEventType;
  /** The bytes that the change counts. */
  readonly bytes: number;
}

export class Watcher implements WatchSink {
  readonly #verb: VerbRequest;
  readonly #resource: ServedResource;
  readonly #options: ListOptions;
  readonly #representation: Representation;
  readonly #framing: WatchFraming;
  readonly #sink: StreamSink;
  readonly #timers: WatchTimers;
  #subscription: Subscription | undefined;
  /** Whether the selection matches everything, so that changes need no check. */
  readonly #everything: boolean;
  /** Whether the watcher sends changes at once: the client has caught up, and no webhook must convert them. */
  #direct = false;
  /** Whether the watcher still sends the state or waiting changes. */
  #catchingUp = true;
  #first = true;
  readonly #observer: WatchObserver | undefined;
  readonly #began = performance.now();
  #stopped = false;
  #from: Revision = 0;
  #sent: Revision = 0;
  readonly #waiting: WaitingChange[] = [];
  #waitingBytes = 0;
  #allowedBytes = Number.POSITIVE_INFINITY;
  /** How the watch ends once it has delivered the waiting changes. */
  #endedAs: 'compacted' | 'closed' | undefined;
  /** Called when the resource is redefined or no longer served. */
  readonly #onEnded = (): void => this.ended('closed');

  constructor(verb: VerbRequest, options: ListOptions, { representation, framing }: WatchForm, sink: StreamSink) {
    this.#verb = verb;
    this.#resource = verb.resource;
    this.#options = options;
    this.#everything = options.selection.everything;
    this.#representation = representation;
    this.#framing = framing;
    this.#sink = sink;
    this.#timers = new WatchTimers(verb.services.after);
    this.#observer = verb.services.observer?.watching(verb.resource.module);
  }

  start({ from, initial }: WatchStart): () => void {
    this.#from = from;
    this.#sent = from;
    const ended = this.#resource.defined?.ended;
    if (ended?.aborted) {
      this.#stop();
      this.#sink.end();
      return () => {};
    }
    ended?.addEventListener('abort', this.#onEnded);
    this.#tell(this.#framing.opening(initial !== undefined));
    const { store } = this.#verb.services;
    // From here on, changes wait until the state is sent. A future revision is not an error: the watch begins once the
    // store reaches it.
    const subscription = store.watch(
      selectedPrefix(this.#verb, this.#options.selection),
      Math.min(from, store.revision),
      this,
    );
    if (typeof subscription === 'string') this.#tooOld(from);
    else {
      this.#subscription = subscription;
      // Replayed changes do not count: the history limits them, and all watchers share them.
      this.#allowedBytes = this.#waitingBytes + this.#verb.services.watchBufferBytes;
      this.#startTimers();
      this.#run(this.#begin(initial));
    }
    return () => this.#stop();
  }

  /** Starts as soon as the start is known. */
  startAfter(start: Promise<Result<WatchStart>>): () => void {
    start
      .then((found) => {
        if (this.#stopped) return;
        if (found.ok) this.start(found.value);
        else this.#fail(found.failure);
      })
      .catch((error: unknown) => {
        this.#verb.services.onDefect(error, this.#verb.request);
        this.#cutOff();
      });
    return () => this.#stop();
  }

  event(event: StoreEvent): void {
    if (event.revision <= this.#from) return;
    this.#sent = event.revision;
    const type = this.#everything ? event.type : seenAs(event, this.#options.selection);
    if (type === undefined) return;
    if (this.#direct) {
      this.#deliver(event.revision, eventFrame(this.#resource, this.#representation, event, type, this.#first));
      if (this.#sink.buffered > this.#verb.services.watchBufferBytes) this.#cutOff();
    } else this.#hold(event, type);
  }

  ended(reason: 'compacted' | 'closed'): void {
    if (this.#catchingUp && !this.#stopped) {
      this.#endedAs = reason;
      return;
    }
    this.#stop();
    if (reason === 'compacted') this.#tooOld(this.#sent);
    else this.#sink.end();
  }

  /** Holds a change until everything before it is sent. */
  #hold(event: StoreEvent, type: WatchEventType): void {
    const bytes = event.entry.bytes.length + changeBytes;
    this.#waiting.push({ event, type, bytes });
    this.#waitingBytes += bytes;
    if (this.#waitingBytes > this.#allowedBytes) this.#cutOff();
    else if (!this.#catchingUp) this.#run(this.#deliverWaiting());
  }

  /** Cuts the connection if sending fails, so that the client knows that events are missing. */
  #run(sending: Promise<void>): void {
    sending.catch(() => this.#cutOff());
  }

  /** Sends the state and the changes since then. Only pauses while the client does not take the bytes. */
  async #begin(initial: readonly Entry[] | undefined): Promise<void> {
    for (const entry of initial ?? []) {
      const frame = entryFrame(this.#resource, this.#representation, entry, 'ADDED', this.#first);
      this.#first = false;
      this.#observer?.initial();
      this.#observer?.event(frame.length);
      this.#sink.write(this.#framing.state(frame));
      if (this.#sink.buffered > aheadBytes) await this.#sink.taken();
      if (this.#stopped) return;
    }
    const { sendInitialEvents, allowWatchBookmarks } = this.#options;
    if (initial && sendInitialEvents && allowWatchBookmarks) {
      this.#sendBookmark(this.#from, { [this.#verb.services.endOfInitialEvents]: 'true' });
      this.#observer?.stateSent?.(scopeOf(this.#verb), (performance.now() - this.#began) / 1000);
    }
    this.#tell(this.#framing.position(this.#from, initial !== undefined));
    await this.#deliverWaiting();
  }

  /** Delivers waiting changes, and changes that arrive in the meantime. */
  async #deliverWaiting(): Promise<void> {
    this.#catchingUp = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice();
      const asked = this.#prepare(batch);
      const failure = asked && (await asked);
      if (this.#stopped) return;
      if (failure) {
        this.#stop();
        this.#fail(failure);
        return;
      }
      for (const change of batch) {
        this.#deliver(change.event.revision, this.#frameOf(change));
        this.#waitingBytes -= change.bytes;
        if (this.#sink.buffered > aheadBytes) await this.#sink.taken();
        if (this.#stopped) return;
      }
      this.#waiting.splice(0, batch.length);
    }
    this.#catchingUp = false;
    this.#direct = !this.#resource.stored.remote;
    if (this.#endedAs) this.ended(this.#endedAs);
  }

  /** Asks the conversion webhook, if there is one, for all changes at once. */
  #prepare(changes: readonly WaitingChange[]): Promise<Failure | undefined> | undefined {
    if (!this.#resource.stored.remote) return undefined;
    return prepareToRead(
      this.#resource,
      changes.map(({ event, type }) => shownEntry(this.#resource, event, type)),
    );
  }

  #frameOf({ event, type }: WaitingChange): Uint8Array {
    if (!this.#resource.stored.remote) {
      return waitingFrame(this.#resource, this.#representation, event, type, this.#first);
    }
    const shown = shownEntry(this.#resource, event, type);
    return entryFrame(this.#resource, this.#representation, shown, type, this.#first);
  }

  #deliver(revision: Revision, frame: Uint8Array): void {
    this.#first = false;
    this.#observer?.event(frame.length);
    this.#sink.write(this.#framing.change(frame, revision));
  }

  #startTimers(): void {
    const seconds = this.#options.timeoutSeconds ?? defaultTimeoutSeconds * (1 + Math.random());
    this.#timers.once(Math.min(seconds, 86_400) * 1000, () => this.#timedOut());
    const { keepAliveMs } = this.#framing;
    if (keepAliveMs) {
      this.#whileCaughtUp(keepAliveMs, () => this.#tell(this.#framing.position(this.#reached(), false)));
    }
    if (!this.#options.allowWatchBookmarks) return;
    this.#whileCaughtUp(bookmarkIntervalMs, () => this.#sendBookmark(this.#reached()));
  }

  /** Calls a function at intervals, except while the watcher catches up. */
  #whileCaughtUp(everyMs: number, go: () => void): void {
    this.#timers.every(everyMs, () => this.#catchingUp || go());
  }

  /** Ends the watch. If changes still wait, cuts the connection, so that the client knows that some are missing. */
  #timedOut(): void {
    if (this.#catchingUp) this.#cutOff();
    else this.ended('closed');
  }

  #sendBookmark(revision: Revision, annotations?: Readonly<Record<string, string>>): void {
    const object = this.#representation.bookmark(this.#resource, revision, annotations);
    this.#sink.write(this.#framing.change(this.#representation.frame('BOOKMARK', object), revision));
  }

  /** Returns the revision up to which all events were sent. The store sends events before its revision shows them. */
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

  #cutOff(): void {
    this.#stop();
    this.#sink.destroy();
  }

  #stop(): void {
    this.#stopped = true;
    this.#subscription?.stop();
    this.#subscription = undefined;
    this.#resource.defined?.ended.removeEventListener('abort', this.#onEnded);
    this.#timers.clear();
  }
}

function scopeOf({ name, namespace }: VerbRequest): WatchScope {
  if (name !== '') return 'resource';
  return namespace === '' ? 'cluster' : 'namespace';
}
