/** Gives the data to one writer at a time, with drivers that have neither transactions nor compare-and-set. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { DataInUseError, livesHere, type Owner, processOf, thisProcess } from '../backends/owner.js';
import { messageOf } from '../failures.js';
import type { Items } from './items.js';
import type { OwnershipTiming } from './options.js';
import {
  encodeOwner,
  encodeWriter,
  OWNER,
  type OwnerRecord,
  readOwner,
  readWriter,
  readWriters,
  type WriterRecord,
  writerKey,
} from './ownership-records.js';
import { parseName, type SegmentName } from './segment-names.js';

export const TIMING: OwnershipTiming = { heartbeatMs: 1000, silenceMs: 5000, settleMs: 100 };

/** The time without an answer after which the driver counts as out of order, in seconds. */
const SLOW_SECONDS = 5;

/** The number of claims before this writer gives up, if other writers keep claiming too. */
const CLAIMS = 5;

/** The state of the data after a claim. */
export interface Claim {
  readonly ownership: Ownership;
  /** All keys, listed after the claim. */
  readonly keys: readonly string[];
  readonly names: readonly SegmentName[];
  /** The records of other writers, by token. */
  readonly writers: ReadonlyMap<string, WriterRecord>;
}

/**
 * Gives the data to one writer at a time. The record of the owner names this writer. Each writer puts its name there
 * once, lists the data only afterwards, and writes only items with its own token in their names. Before it acknowledges
 * a commit, it reads the record again. If a driver shows all stored items to every client, there is only one log: if
 * the writer is still the owner, the next writer's list has the commit; if not, the commit fails.
 *
 * Each writer stores its own record before its claim. If it finds an epoch as high as its own, it claims again with a
 * higher one. So epochs rise in the order in which writers became owners, and the newest commits are known, even if
 * their writer slept while several others took over.
 *
 * Heartbeats and waiting only serve to report another writer early, by name.
 */
export class Ownership {
  readonly #items: Items;
  readonly #place: string;
  #record: WriterRecord;
  #problem = '';
  /** The failure of the last heartbeat; empty if it succeeded. */
  #trouble = '';
  /** The start of the last heartbeat, by `performance.now()`. */
  #beganAt = 0;
  #beating: Promise<void> = Promise.resolve();
  #isBeating = false;
  /** Runs once the claim is stored. Until then, the record of the owner names another writer. */
  #heartbeat: NodeJS.Timeout | undefined;

  private constructor(
    items: Items,
    place: string,
    self: Owner,
    readonly epoch: number,
    readonly token: string,
  ) {
    this.#items = items;
    this.#place = place;
    this.#record = { ...self, epoch, beat: 0 };
  }

  /** Claims the data. Rejects with a `DataInUseError` while another writer has it. */
  static async claim(items: Items, place: string, self: Owner = thisProcess(), timing = TIMING): Promise<Claim> {
    let newest = 0;
    for (let claims = 0; claims < CLAIMS; claims++) {
      const before = await readOwner(items);
      const beforeIt = before && (await readWriter(items, before.token));
      if (before && beforeIt && (await isAlive(items, before.token, beforeIt, timing))) throw inUse(place, beforeIt);
      const epoch = Math.max(newest, before?.epoch ?? 0) + 1;
      const ownership = new Ownership(items, place, self, epoch, randomBytes(8).toString('hex'));
      const found = await ownership.#settle(timing).catch(async (error) => {
        await ownership.#withdraw();
        throw error;
      });
      const epochs = [...found.names, ...found.writers.values()].map((one) => one.epoch);
      newest = Math.max(0, ...epochs);
      // Otherwise another writer has claimed the data since this one read the owner's record, or the record was lost.
      if (newest < epoch) return { ownership, ...found };
      await ownership.#withdraw();
    }
    throw new Error('other servers keep claiming the data; start only one server');
  }

  /** The reason why this writer may no longer write; empty while it may. */
  get problem(): string {
    return this.#problem;
  }

  /** The reason why a write would probably fail now; empty while all is well. */
  get trouble(): string {
    if (this.#problem !== '') return this.#problem;
    const seconds = Math.floor((performance.now() - this.#beganAt) / 1000);
    return this.#isBeating && seconds >= SLOW_SECONDS ? `storage has not answered for ${seconds} s` : this.#trouble;
  }

  /** Notes facts about the log for the next writer. The next heartbeat publishes them. */
  note(known: Pick<WriterRecord, 'after' | 'tail'>): void {
    this.#record = { ...this.#record, ...known };
  }

  /** Publishes the noted facts at once. */
  async publish(): Promise<void> {
    await this.#beating;
    await this.#beat();
  }

  /** Resolves if this writer is still the owner. It was then the owner when all earlier commits were stored. */
  async confirm(): Promise<void> {
    if (this.#problem !== '') throw new Error(this.#problem);
    const owner = await readOwner(this.#items);
    if (owner?.token === this.token) return;
    clearInterval(this.#heartbeat);
    this.#problem = await this.#whoIs(owner);
    throw new Error(this.#problem);
  }

  /** Releases the data. Never rejects, because a writer without heartbeats counts as gone anyway. */
  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#beating;
    this.#record = { ...this.#record, closed: true };
    await this.confirm()
      .then(() => this.#beat())
      .catch(() => {});
  }

  /** Claims the data, waits, and lists the keys. */
  async #settle({ heartbeatMs, settleMs }: OwnershipTiming): Promise<Omit<Claim, 'ownership'>> {
    const { epoch, token } = this;
    await this.#beat();
    await this.#items.put(OWNER, encodeOwner({ epoch, token }));
    this.#heartbeat = setInterval(() => this.#startBeat(), heartbeatMs).unref();
    await sleep(settleMs);
    const found = await readOwner(this.#items);
    if (found && found.token !== token) throw inUse(this.#place, await readWriter(this.#items, found.token));
    const keys = await this.#items.keys();
    if (!found || !keys.includes(OWNER)) {
      throw new Error(`the driver does not ${found ? 'list' : 'return'} stored values`);
    }
    const writers = await readWriters(this.#items, keys, token);
    return { keys, names: keys.flatMap((key) => parseName(key) ?? []), writers };
  }

  /** Removes this writer's own record after a failed claim. */
  async #withdraw(): Promise<void> {
    clearInterval(this.#heartbeat);
    await this.#beating;
    await this.#items.remove(writerKey(this.token)).catch(() => {});
  }

  #startBeat(): void {
    if (this.#isBeating) return;
    this.#isBeating = true;
    this.#beganAt = performance.now();
    // The next heartbeat makes up for a failed one. Writes do not depend on it.
    this.#beating = this.confirm()
      .then(() => this.#beat('fleeting'))
      .then(
        () => '',
        (error: unknown) => `storage does not accept the heartbeat: ${messageOf(error)}`,
      )
      .then((trouble) => {
        this.#trouble = trouble;
        this.#isBeating = false;
      });
  }

  async #beat(kind: 'lasting' | 'fleeting' = 'lasting'): Promise<void> {
    this.#record = { ...this.#record, beat: this.#record.beat + 1 };
    await this.#items.put(writerKey(this.token), encodeWriter(this.#record), kind);
  }

  async #whoIs(owner: OwnerRecord | undefined): Promise<string> {
    if (!owner) return `${this.#place} has lost the record of its owner, and perhaps more; check it, then start again`;
    const writer = await readWriter(this.#items, owner.token).catch(() => undefined);
    return `${this.#place} has been taken over by ${writer ? processOf(writer) : 'another process'}`;
  }
}

function inUse(place: string, writer: WriterRecord | undefined): Error {
  if (writer) return new DataInUseError(place, writer, 'place for the data');
  return new Error(`${place} is being opened by another process`);
}

/** Checks whether a writer still runs: by its process if it is on this machine, otherwise by its heartbeats. */
async function isAlive(items: Items, token: string, writer: WriterRecord, timing: OwnershipTiming): Promise<boolean> {
  if (writer.closed) return false;
  const known = livesHere(writer);
  if (known !== undefined) return known;
  for (let waited = 0; waited < timing.silenceMs; waited += timing.heartbeatMs) {
    await sleep(timing.heartbeatMs);
    if ((await readWriter(items, token))?.beat !== writer.beat) return true;
  }
  return false;
}
