/** Answers the questions of one worker from the store. */
import { serialize } from 'node:v8';
import type { Entry, RestoredObject, Subscription } from '../../contract/index.js';
import { MARK_KEY } from '../failures.js';
import type { EmbeddedStore } from '../open-store.js';
import { DriverError, toDriverError } from '../shared/errors.js';
import type { Channel } from './channel.js';
import { commitGroup } from './commit-group.js';
import { Deliveries } from './deliveries.js';
import { foundAt, lockedOf, recordOf } from './found.js';
import { type Answer, FORMAT, type OwnerState, type Page, type Question } from './messages.js';

/** The most objects of a page of the state. `PAGE_BYTES` is the most bytes. */
const PAGE_OBJECTS = 2_000;
const PAGE_BYTES = 1024 * 1024;
/** The bytes of answers that a worker may leave unread. With more, it is disconnected, and connects again. */
const WAITING_BYTES = 64 * 1024 * 1024;

type Ask<Name extends Question['ask']> = Extract<Question, { readonly ask: Name }>;

interface Followed extends Subscription {
  drained(): void;
}

export class WorkerSession {
  readonly #store: EmbeddedStore;
  readonly #channel: Pick<Channel, 'send' | 'close' | 'waitingBytes'>;
  readonly #followed = new Map<number, Followed>();
  readonly #replacements = new Map<number, ObjectStream<RestoredObject>>();
  #isReplacing = false;

  constructor(store: EmbeddedStore, channel: Pick<Channel, 'send' | 'close' | 'waitingBytes'>) {
    this.#store = store;
    this.#channel = channel;
  }

  /** Answers a question. Never throws. */
  hear(id: number, question: Question): void {
    this.#answer(id, question).then(
      (answer) => answer && this.#send(id, answer),
      (error: unknown) => this.#send(id, failedWith(toDriverError(error))),
    );
  }

  /** Sends more changes after the worker has read those before. */
  drained(): void {
    for (const followed of this.#followed.values()) followed.drained();
  }

  /** Ends the worker's following and its restore. */
  close(): void {
    for (const followed of this.#followed.values()) followed.stop();
    for (const stream of this.#replacements.values()) stream.fail(new Error('the worker that restores has ended'));
    this.#followed.clear();
  }

  /** Resolves to the answer, if the question has one. Rejects with the error for the worker. */
  async #answer(id: number, question: Question): Promise<Answer | undefined> {
    switch (question.ask) {
      case 'open':
        return this.#open(question);
      case 'page':
        return { is: 'page', page: this.#page(question) };
      case 'follow':
        return this.#follow(id, question);
      case 'unfollow':
        this.#followed.get(id)?.stop();
        this.#followed.delete(id);
        return undefined;
      case 'commit':
        return { is: 'committed', commit: await commitGroup(this.#store, question) };
      case 'look':
        return this.#look(question);
      case 'health':
        return { is: 'health', health: this.#store.health(), state: this.#state };
      case 'replace':
        return this.#replace(id, question);
      case 'objects':
        this.#replacements.get(id)?.push(question.objects);
        return undefined;
      case 'abort':
        this.#replacements.get(id)?.fail(new Error(question.message));
        return undefined;
    }
  }

  get #state(): OwnerState {
    return { stale: this.#store.stale(), unreadable: this.#store.unreadable('').map(({ key }) => key) };
  }

  #send(id: number, answer: Answer): void {
    this.#channel.send(id, serialize(answer));
    if (this.#channel.waitingBytes > WAITING_BYTES) this.#channel.close();
  }

  #open({ format, replacing }: Ask<'open'>): Answer {
    this.#isReplacing = replacing;
    if (format !== FORMAT) {
      const problem = `the owner of the data writes messages of format ${FORMAT}, and this worker ${format}`;
      throw new DriverError('refused', `${problem}; start the server again`);
    }
    const { secret, oldestRevision: historyFrom } = this.#store;
    const unfinished = this.#store.confirm() !== undefined;
    return { is: 'opened', opened: { unfinished, secret, historyFrom } };
  }

  #page({ at, after }: Ask<'page'>): Page {
    this.#refuseUnfinished();
    const found = this.#store.list('', {
      limit: PAGE_OBJECTS,
      ...(at === undefined ? {} : { at }),
      ...(after && { after }),
    });
    if (typeof found === 'string') throw new DriverError('compacted', `the state at revision ${at} is not kept`);
    const { revision, entries, remaining } = found;
    const shown = firstBytes(entries);
    const records = shown.filter(({ key }) => key !== MARK_KEY).map(recordOf);
    const left = remaining + entries.length - shown.length;
    const locked = left > 0 ? [] : this.#store.unreadable('').flatMap((damage) => lockedOf(damage) ?? []);
    const state = { number: revision, head: revision, revision };
    return { records: [...records, ...locked], remaining: left, last: shown.at(-1)?.key, state };
  }

  #follow(id: number, { after }: Ask<'follow'>): Answer {
    const lost = (): DriverError => new DriverError('compacted', 'the owner of the data has forgotten its history');
    const deliveries = new Deliveries(this.#channel, id);
    const subscription = this.#store.watch('', after, {
      event: (event) => {
        if (event.entry.key !== MARK_KEY) deliveries.add(event);
      },
      ended: () => {
        deliveries.stop();
        this.#send(id, failedWith(lost()));
      },
    });
    if (typeof subscription === 'string') throw lost();
    deliveries.begun();
    this.#followed.set(id, {
      drained: () => deliveries.drained(),
      stop() {
        subscription.stop();
        deliveries.stop();
      },
    });
    return { is: 'following' };
  }

  #look({ key }: Ask<'look'>): Answer {
    this.#refuseUnfinished();
    const { revision } = this.#store;
    const found = key === undefined ? undefined : foundAt(this.#store, key);
    return { is: 'seen', heads: { number: revision, head: revision, found } };
  }

  /** Throws while the state is being replaced, unless this worker replaces it. */
  #refuseUnfinished(): void {
    const failure = this.#store.confirm();
    if (failure && !this.#isReplacing) throw new DriverError('unsent', failure.message, { failure });
  }

  async #replace(id: number, { behind, secret }: Ask<'replace'>): Promise<Answer> {
    const objects = new ObjectStream<RestoredObject>();
    this.#replacements.set(id, objects);
    try {
      await this.#store.restore(objects, behind, secret);
      return { is: 'replaced' };
    } finally {
      this.#replacements.delete(id);
    }
  }
}

const failedWith = ({ problem, message, failure }: DriverError): Answer => ({
  is: 'failed',
  problem,
  message,
  failure,
});

/** Returns the first entries that fit into a page; at least one. */
function firstBytes(entries: readonly Entry[]): readonly Entry[] {
  let bytes = 0;
  const end = entries.findIndex((entry) => {
    bytes += entry.bytes.length;
    return bytes > PAGE_BYTES;
  });
  return end < 0 ? entries : entries.slice(0, Math.max(1, end));
}

class ObjectStream<T> implements AsyncIterable<T> {
  readonly #pieces: (readonly T[])[] = [];
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  /** Adds objects. An empty piece means that there are no more. */
  push(objects: readonly T[]): void {
    this.#pieces.push(objects);
    this.#wake?.();
  }

  /** Makes the reader's next step reject. */
  fail(error: Error): void {
    this.#error = error;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#pieces.length === 0 && !this.#error) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
      if (this.#error) throw this.#error;
      const piece = this.#pieces.shift() ?? [];
      if (piece.length === 0) return;
      yield* piece;
    }
  }
}
