/** Answers the questions of one worker from the store. */
import { serialize } from 'node:v8';
import type { Entry, RestoredObject, SharedChange, StoreEvent, Subscription } from '../../contract/index.js';
import { MARK_KEY } from '../failures.js';
import type { EmbeddedStore } from '../open-store.js';
import { DriverError, toDriverError } from '../shared/errors.js';
import type { Channel } from './channel.js';
import { commitGroup } from './commit-group.js';
import { bufferOf, foundAt, lockedOf, recordOf } from './found.js';
import type { Answer, OwnerState, Page, Question } from './messages.js';
import { ObjectStream } from './object-stream.js';

/** Objects and bytes of a page of the state, at most. */
const PAGE_OBJECTS = 20_000;
const PAGE_BYTES = 8 * 1024 * 1024;
/** A worker that lets more bytes than this wait for it is cut off. It connects again, and loads what it has missed. */
const WAITING_BYTES = 128 * 1024 * 1024;

type Ask<Name extends Question['ask']> = Extract<Question, { readonly ask: Name }>;
type Reply = Answer extends infer A ? (A extends Answer ? Omit<A, 'id'> : never) : never;

export class WorkerSession {
  readonly #store: EmbeddedStore;
  readonly #channel: Pick<Channel, 'send' | 'close' | 'waitingBytes'>;
  readonly #followed = new Map<number, Subscription>();
  readonly #replacements = new Map<number, ObjectStream<RestoredObject>>();
  #isReplacing = false;

  constructor(store: EmbeddedStore, channel: Pick<Channel, 'send' | 'close' | 'waitingBytes'>) {
    this.#store = store;
    this.#channel = channel;
  }

  /** Answers a question. Never throws. */
  hear(question: Question): void {
    const { id } = question;
    this.#answer(question).then(
      (reply) => reply && this.#send(id, reply),
      (error: unknown) => this.#send(id, failedWith(toDriverError(error))),
    );
  }

  /** Ends what the worker follows, and its restore. */
  close(): void {
    for (const subscription of this.#followed.values()) subscription.stop();
    for (const stream of this.#replacements.values()) stream.fail(new Error('the worker that restores has ended'));
    this.#followed.clear();
  }

  /** Resolves to the reply, if there is one. Rejects with the error that the worker gets. */
  async #answer(question: Question): Promise<Reply | undefined> {
    switch (question.ask) {
      case 'open':
        return this.#open(question);
      case 'page':
        return { is: 'page', page: this.#page(question) };
      case 'follow':
        return this.#follow(question);
      case 'unfollow':
        this.#followed.get(question.id)?.stop();
        this.#followed.delete(question.id);
        return undefined;
      case 'commit':
        return { is: 'committed', commit: await commitGroup(this.#store, question) };
      case 'look':
        return this.#look(question);
      case 'health':
        return { is: 'health', health: this.#store.health(), state: this.#state };
      case 'replace':
        return this.#replace(question);
      case 'objects':
        this.#replacements.get(question.id)?.push(question.objects);
        return undefined;
      case 'abort':
        this.#replacements.get(question.id)?.fail(new Error(question.message));
        return undefined;
    }
  }

  get #state(): OwnerState {
    return { stale: this.#store.stale(), unreadable: this.#store.unreadable('').map(({ key }) => key) };
  }

  #send(id: number, reply: Reply): void {
    this.#channel.send({ id, ...reply });
    if (this.#channel.waitingBytes > WAITING_BYTES) this.#channel.close();
  }

  #open({ version, replacing }: Ask<'open'>): Reply {
    this.#isReplacing = replacing;
    if (version !== process.version) {
      const problem = `the owner of the data runs Node ${process.version}, and this worker ${version}`;
      throw new DriverError('refused', problem);
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

  #follow({ id, after }: Ask<'follow'>): Reply {
    let waiting: Uint8Array[] = [];
    const flush = (): void => {
      this.#send(id, { is: 'changes', changes: waiting });
      waiting = [];
    };
    const lost = (): DriverError => new DriverError('compacted', 'the owner of the data has forgotten its history');
    const subscription = this.#store.watch('', after, {
      event: (event) => {
        if (event.entry.key === MARK_KEY) return;
        // The store delivers all changes of a batch in one turn.
        if (waiting.push(serializedOnce(event)) === 1) queueMicrotask(flush);
      },
      ended: () => this.#send(id, failedWith(lost())),
    });
    if (typeof subscription === 'string') throw lost();
    this.#followed.set(id, subscription);
    return { is: 'following' };
  }

  #look({ key }: Ask<'look'>): Reply {
    this.#refuseUnfinished();
    const { revision } = this.#store;
    const found = key === undefined ? undefined : foundAt(this.#store, key);
    return { is: 'seen', heads: { number: revision, head: revision, found } };
  }

  /** Throws while the state is being replaced, unless this worker is here for that. */
  #refuseUnfinished(): void {
    const failure = this.#store.confirm();
    if (failure && !this.#isReplacing) throw new DriverError('unsent', failure.message, { failure });
  }

  async #replace({ id, behind, secret }: Ask<'replace'>): Promise<Reply> {
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

const failedWith = ({ problem, message, failure }: DriverError): Reply => ({ is: 'failed', problem, message, failure });

/** Returns the first entries, at least one, that fit into a page. */
function firstBytes(entries: readonly Entry[]): readonly Entry[] {
  let bytes = 0;
  const end = entries.findIndex((entry) => {
    bytes += entry.bytes.length;
    return bytes > PAGE_BYTES;
  });
  return end < 0 ? entries : entries.slice(0, Math.max(1, end));
}

/** The serialized changes of events that were sent before. The store hands the same event to every worker. */
const serialized = new WeakMap<Entry, Uint8Array>();

function serializedOnce({ type, revision, entry, writer }: StoreEvent): Uint8Array {
  const known = serialized.get(entry);
  if (known) return known;
  const { key, attributes } = entry;
  const bytes = bufferOf(entry.bytes);
  const state = type === 'DELETED' ? { last: bytes } : { value: bytes };
  const change: SharedChange & { readonly writer: string | undefined } = {
    key,
    revision,
    ...state,
    attributes,
    writer,
  };
  const made = serialize(change);
  serialized.set(entry, made);
  return made;
}
