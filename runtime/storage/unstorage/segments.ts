/** Keeps the segments of a journal as items of an unstorage driver. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Storage } from 'unstorage';
import type { Backend } from '../../contract/index.js';
import type { Owner } from '../backends/owner.js';
import { decodeSegment, type RecordName, type Segment, type SegmentStore } from '../backends/segment.js';
import { durableFiles, isPart } from './durable-files.js';
import { seal, unseal } from './envelope.js';
import { type Items, itemsOf } from './items.js';
import { Log } from './log.js';
import type { OwnershipTiming } from './options.js';
import { type Claim, Ownership } from './ownership.js';
import { type WriterRecord, writerKey } from './ownership-records.js';
import { nameOf, newestOf, parseName, type SegmentName } from './segment-names.js';

export interface UnstorageSegmentsOptions {
  readonly storage: Storage;
  readonly base: string;
  /** The location of the data, for people. */
  readonly place: string;
  /** The kind of crash that a commit survives, if the driver's items are not files that can be flushed. */
  readonly durability: Backend['durability'];
  /** Closes the connections and files of the driver. */
  readonly release: () => Promise<void>;
  /** The identity of this process, for tests. `timing` is how long it waits for other processes. */
  readonly self?: Owner;
  readonly timing?: OwnershipTiming;
}

/** The key of the item that holds the secret. */
const SECRET = 'secret';
const SECRET_BYTES = 32;

/** The parts of an open store. */
interface OpenStore {
  readonly items: Items;
  readonly ownership: Ownership;
  readonly sweeper: Sweeper;
  readonly log: Log;
}

export class UnstorageSegments implements SegmentStore {
  readonly name = 'unstorage';
  readonly #options: UnstorageSegmentsOptions;
  #isFlushed = false;
  #open: OpenStore | undefined;
  /** The records of the newest segment. The next segment lists them. */
  #newest: readonly RecordName[] = [];
  #attempts = 0;

  constructor(options: UnstorageSegmentsOptions) {
    this.#options = options;
  }

  get durability(): Backend['durability'] {
    return this.#isFlushed ? 'power-loss' : this.#options.durability;
  }

  async open(): Promise<readonly number[]> {
    const { storage, base, place, self, timing } = this.#options;
    try {
      const plain = itemsOf(storage, base);
      await checkRoundTrip(plain);
      const flushed = await durableFiles(plain, storage, base);
      this.#isFlushed = flushed !== undefined;
      const items = flushed ?? plain;
      const claim = await Ownership.claim(items, place, self, timing);
      this.#open = await this.#start(items, claim);
      return this.#open.log.ids;
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async secret(): Promise<Uint8Array> {
    const { items } = this.#opened();
    const kept = await items.get(SECRET);
    if (kept?.length === SECRET_BYTES) return Buffer.from(kept);
    const made = randomBytes(SECRET_BYTES);
    // Without space for the secret, the data can still be read. The next open makes another secret.
    await items.put(SECRET, made).catch(() => {});
    return made;
  }

  async replaceSecret(secret: Uint8Array): Promise<void> {
    await this.#opened().items.put(SECRET, Buffer.from(secret));
  }

  async read(id: number): Promise<Uint8Array | undefined> {
    const { log } = this.#opened();
    const bytes = await log.read(id);
    const found = bytes && unseal(bytes);
    // Bytes without a valid envelope must not count as a segment.
    if (!found) return bytes && new Uint8Array(0);
    // Another segment is in its place, so this one is missing.
    if (found.envelope.name !== log.nameOf(id)) return undefined;
    log.learn(id, found.envelope);
    if (id === log.newest) this.#newest = namesIn(found.segment);
    return found.segment;
  }

  recall(id: number): readonly RecordName[] {
    return this.#opened().log.recordsOf(id);
  }

  async write(put: readonly Segment[], remove: readonly number[]): Promise<void> {
    const { items, ownership, sweeper, log } = this.#opened();
    const { epoch, token } = ownership;
    if (ownership.problem !== '') throw new Error(ownership.problem);
    await sweeper.idle();
    const attempt = ++this.#attempts;
    for (const { id } of put) if (id <= log.newest) log.ensureName(id, nameOf({ id, epoch, token, attempt }));
    for (const { id, bytes } of put) {
      const isNew = id > log.newest;
      const name = isNew ? nameOf({ id, epoch, token, attempt }) : log.nameOf(id);
      const before = isNew ? this.#newest : [];
      // A sweep removes a new segment unless the commit is confirmed. The next attempt gets another name.
      if (isNew) sweeper.mark(name);
      await items.put(name, seal({ name, after: log.nameOf(isNew ? log.newest : id - 1), before }, bytes));
    }
    await ownership.confirm();
    this.#count(put, attempt);
    sweeper.sweep([...log.strays(), ...remove.flatMap((id) => log.remove(id))]);
  }

  health(): string {
    return this.#open?.ownership.trouble ?? '';
  }

  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.sweeper.idle();
    await open?.ownership.release();
    await this.#options.release();
  }

  /** Publishes the end of the log, and removes the remains of earlier writers. */
  async #start(items: Items, { ownership, keys, names, writers }: Claim): Promise<OpenStore> {
    try {
      const tail = tailOf(names, writers);
      ownership.note({ after: tail ? nameOf(tail) : '' });
      await ownership.publish();
      await ownership.confirm();
      const sweeper = new Sweeper(items);
      sweeper.sweep([...[...writers.keys()].map(writerKey), ...keys.filter(isPart)]);
      return { items, ownership, sweeper, log: new Log(items, names, tail) };
    } catch (error) {
      await ownership.release();
      throw error;
    }
  }

  /** Adds written and confirmed segments to the log. */
  #count(put: readonly Segment[], attempt: number): void {
    const { ownership, sweeper, log } = this.#opened();
    for (const { id, bytes } of put) {
      if (id <= log.newest) continue;
      const name = nameOf({ id, epoch: ownership.epoch, token: ownership.token, attempt });
      sweeper.unmark(name);
      log.append(id, name);
      this.#newest = namesIn(bytes);
      ownership.note({ tail: name });
    }
  }

  #opened(): OpenStore {
    if (!this.#open) throw new Error(`${this.#options.place} is not open`);
    return this.#open;
  }
}

/** Returns the names of a segment's records, as far as they can be read. */
function namesIn(segment: Uint8Array): readonly RecordName[] {
  const { records } = decodeSegment(segment);
  return records.filter(({ key }) => key !== '').map(({ key, revision }) => ({ key, revision }));
}

/** All values of a byte. A driver that treats bytes as text changes some of them. */
const EVERY_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** Checks that the driver stores bytes, returns them unchanged, and removes them. Rejects with the fault. */
async function checkRoundTrip(items: Items): Promise<void> {
  const key = `probes:${randomUUID()}`;
  await items.put(key, EVERY_BYTE);
  const found = await items.get(key);
  if (!found) throw new Error('the driver does not return stored values; is it read-only?');
  if (!Buffer.from(found).equals(EVERY_BYTE)) throw new Error('the driver does not keep bytes as they are');
  await items.remove(key);
  if (await items.get(key)) throw new Error('the driver does not remove items');
}

/**
 * Returns the name of the newest segment of the log, which may be missing; undefined without a log. `writers` are the
 * records of writers, by token. The newest writer that published its start decides: the log ends with its last segment,
 * or with the segment before its start if it wrote none. Later segments of other writers were not acknowledged.
 */
function tailOf(names: readonly SegmentName[], writers: ReadonlyMap<string, WriterRecord>): SegmentName | undefined {
  const ready = [...writers].filter(([, { after }]) => after !== undefined);
  const [token, record] = ready.reduce<readonly [string, WriterRecord] | readonly []>(
    (last, one) => (one[1].epoch > (last[1]?.epoch ?? 0) ? one : last),
    [],
  );
  const newest = newestOf(names);
  if (!record) return newest;
  const own = newestOf(names.filter((name) => name.token === token));
  const known = parseName(record.tail ?? record.after ?? '');
  const tail = own && !(known && known.id > own.id) ? own : known;
  // If the last writer's own record is lost, its commits show it: they begin after the commits of the previous writer.
  const isLater = newest && newest.epoch > record.epoch && newest.id >= (tail?.id ?? 0);
  return isLater ? newest : tail;
}

/** The most removals in flight. */
const AT_A_TIME = 16;

class Sweeper {
  readonly #items: Items;
  readonly #litter = new Set<string>();
  #sweeping: Promise<void> = Promise.resolve();

  constructor(items: Items) {
    this.#items = items;
  }

  /** Marks a key, so that the next sweep removes it unless it is unmarked before. */
  mark(key: string): void {
    this.#litter.add(key);
  }

  unmark(key: string): void {
    this.#litter.delete(key);
  }

  /** Starts to remove these keys and all marked keys. The next sweep retries the removals that fail. */
  sweep(keys: readonly string[]): void {
    for (const key of keys) this.#litter.add(key);
    const all = [...this.#litter];
    this.#litter.clear();
    this.#sweeping = this.#sweeping.then(() => this.#remove(all));
  }

  /** Resolves once no removal is in flight. */
  idle(): Promise<void> {
    return this.#sweeping;
  }

  async #remove(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += AT_A_TIME) {
      await Promise.all(
        keys.slice(at, at + AT_A_TIME).map(async (key) => {
          await this.#items.remove(key).catch(() => this.mark(key));
        }),
      );
    }
  }
}
