/** The driver of a shared store that another process of this machine owns. A worker follows the store over a socket. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import type {
  Entry,
  GroupNumber,
  Key,
  RestoredObject,
  Revision,
  SharedCommit,
  SharedCommitOptions,
  SharedDriver,
  SharedFollower,
  SharedHeads,
  SharedOpened,
  SharedOpenOptions,
  SharedPage,
  SharedProposal,
  SharedRecord,
  SharedState,
} from '../../contract/index.js';
import { resourceOf } from '../keys.js';
import { DriverError, toDriverError } from '../shared/errors.js';
import { FORMAT, type OwnerState, type Question, type WrittenChange } from './messages.js';
import { NewestReader, newestFileOf } from './newest-file.js';
import { Questions } from './questions.js';

/**
 * An embedded store decides on any number of changes at once. Their bytes are in memory twice during that time. With two
 * groups, a worker handles requests while the owner makes the group before durable, whatever other workers send.
 */
const LIMITS = { changes: 1000, bytes: 8 * 1024 * 1024, guards: 1000, groups: 2 } as const;
const ANSWER_MS = 4_000;
const REPLACE_MS = 24 * 60 * 60 * 1000;
/** The number of objects of a restore in one message. */
const PIECE = 500;

export class OwnerDriver implements SharedDriver {
  readonly name = 'the owner of the data';
  readonly limits = LIMITS;
  readonly writer = randomBytes(6).toString('base64url');
  readonly #path: string;
  #questions: Questions | undefined;
  #connecting: Promise<Questions> | undefined;
  #isClosed = false;
  #newest: NewestReader | undefined;
  #state: OwnerState = { stale: new Map(), unreadable: [] };
  /** Ends the following, so that the state is loaded again. */
  #reload: (() => void) | undefined;

  /** `path` is the socket on which the owner serves its store. */
  constructor(path: string) {
    this.#path = path;
  }

  async open({ replacing }: SharedOpenOptions): Promise<SharedOpened> {
    const questions = await this.#connected();
    const { opened } = await questions.ask({ ask: 'open', format: FORMAT, replacing }, 'opened', ANSWER_MS);
    return opened;
  }

  async load(at: GroupNumber | undefined, take: (page: SharedPage) => Promise<void> | void): Promise<SharedState> {
    const questions = await this.#connected();
    const pageOf = (at: GroupNumber | undefined, after?: Key) =>
      questions.ask({ ask: 'page', at, after }, 'page', ANSWER_MS);
    let next = pageOf(at);
    for (;;) {
      const { page } = await next;
      const { state, last, remaining } = page;
      const isLast = remaining === 0 || last === undefined;
      // Fetches the next page while the caller handles this one.
      if (!isLast) next = pageOf(state.number, last);
      next.catch(() => {});
      await take(page);
      if (isLast) return state;
    }
  }

  follow(after: GroupNumber, follower: SharedFollower): () => void {
    let stop: (() => void) | undefined;
    let isOver = false;
    const broken = (error: unknown): void => {
      if (!isOver) follower.broken(toDriverError(error));
      isOver = true;
    };
    this.#reload = () => broken(new DriverError('compacted', 'the set of readable objects has changed'));
    const deliver = (change: WrittenChange): void => {
      const { revision, writer } = change;
      if (!isOver) follower.group({ number: revision, revision, changes: [change], writer });
    };
    this.#connected().then((questions) => {
      if (isOver) return;
      stop = questions.follow(after, {
        answer: (answer) => {
          if (isOver) return;
          if (answer.is === 'following') follower.begun();
          if (answer.is === 'changes') for (const change of answer.changes) deliver(change);
        },
        failed: broken,
      });
    }, broken);
    return () => {
      isOver = true;
      stop?.();
    };
  }

  async commit(group: readonly SharedProposal[], { head, withinMs }: SharedCommitOptions): Promise<SharedCommit> {
    const questions = await this.#connected();
    const proposals = group.map(toPlain);
    const question: Question = { ask: 'commit', writer: this.writer, group: proposals, head };
    return (await questions.ask(question, 'committed', withinMs)).commit;
  }

  async look(key?: Key): Promise<SharedHeads & { readonly found?: SharedRecord | undefined }> {
    const questions = await this.#connected();
    return (await questions.ask({ ask: 'look', key }, 'seen', ANSWER_MS)).heads;
  }

  async replace(objects: AsyncIterable<RestoredObject>, behind: Revision, secret?: Uint8Array): Promise<void> {
    const questions = await this.#connected();
    const replacement = questions.begin({ ask: 'replace', behind, secret }, 'replaced', REPLACE_MS);
    replacement.answered.catch(() => {});
    try {
      await tellAll(objects, (piece) => questions.tell(replacement.id, { ask: 'objects', objects: piece }));
    } catch (error) {
      await questions.tell(replacement.id, { ask: 'abort', message: toDriverError(error).message });
      await replacement.answered.catch(() => {});
      throw error;
    }
    await replacement.answered;
  }

  async writeProblem(): Promise<string | undefined> {
    try {
      const questions = await this.#connected();
      const { health, state } = await questions.ask({ ask: 'health' }, 'health', ANSWER_MS);
      this.#note(state);
      return health;
    } catch {
      return undefined;
    }
  }

  newest(): GroupNumber | undefined {
    return this.#newest?.read();
  }

  /** Answers from the owner's last report, which is a few seconds old at most. The owner encrypts. */
  isStale({ key, revision }: Pick<Entry, 'key' | 'revision'>): boolean {
    const { stale } = this.#state;
    return stale.size > 0 && revision <= (stale.get(resourceOf(key)) ?? 0);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#questions?.close();
    this.#newest?.close();
    this.#newest = undefined;
  }

  /** Loads all objects again if the set of readable objects has changed, because no change reports this. */
  #note(state: OwnerState): void {
    const before = new Set(this.#state.unreadable);
    const isSame = before.size === state.unreadable.length && state.unreadable.every((key) => before.has(key));
    this.#state = state;
    if (!isSame) this.#reload?.();
  }

  /** Returns the connection to the owner. Connects again if the owner has disconnected this worker. */
  async #connected(): Promise<Questions> {
    if (this.#isClosed) throw new DriverError('refused', 'the store is closed');
    if (this.#questions && !this.#questions.isClosed) return this.#questions;
    this.#connecting ??= this.#connect().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  async #connect(): Promise<Questions> {
    const socket = connect(this.#path);
    try {
      await once(socket, 'connect');
    } catch (error) {
      throw new DriverError('unsent', `the owner of the data does not answer: ${String(error)}`);
    }
    this.#questions = new Questions(socket);
    this.#newest?.close();
    this.#newest = new NewestReader(newestFileOf(this.#path));
    return this.#questions;
  }
}

/** Sends objects in pieces, and an empty piece at the end. */
async function tellAll(
  objects: AsyncIterable<RestoredObject>,
  tell: (piece: readonly RestoredObject[]) => Promise<void>,
): Promise<void> {
  let piece: RestoredObject[] = [];
  for await (const object of objects) {
    if (piece.push(object) < PIECE) continue;
    await tell(piece);
    piece = [];
  }
  if (piece.length > 0) await tell(piece);
  await tell([]);
}

/** Copies a proposal as plain data. The proposal may have methods. */
const toPlain = ({ key, expected, next, last, guards, ending, writes }: SharedProposal): SharedProposal => ({
  key,
  expected,
  writes,
  ...(next && { next }),
  ...(last && { last }),
  ...(guards && { guards }),
  ...(ending && { ending }),
});
