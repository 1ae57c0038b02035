/** Knows the name of each segment of the log, and reads segments. */
import type { RecordName } from '../backends/segment.js';
import type { Envelope } from './envelope.js';
import type { Items } from './items.js';
import { nameOf, newestOf, type SegmentName } from './segment-names.js';

/** The number of segments that are requested in advance while the log is read in order. */
const AHEAD = 16;

export class Log {
  readonly #items: Items;
  /** Segments that were found by number and have not been read yet. */
  #candidates: Map<number, readonly SegmentName[]>;
  /** Names of segments: certain ones, or else the best guess. */
  readonly #names = new Map<number, string>();
  /** Keys that earlier writers left, and that are not in the log. */
  #strays: string[];
  #newest: number;
  #ahead: Map<string, Promise<Uint8Array | undefined>> | undefined = new Map();
  /** Records of segments that are being read or are lost, by the list in the segment after each. */
  readonly #records = new Map<number, readonly RecordName[]>();
  readonly #lost = new Set<number>();

  /** `tail` is the newest segment of the log. Segments that were found after it are not part of the log. */
  constructor(items: Items, names: readonly SegmentName[], tail: SegmentName | undefined) {
    this.#items = items;
    this.#newest = tail?.id ?? 0;
    this.#strays = names.filter(({ id }) => id > this.#newest).map(nameOf);
    this.#candidates = new Map();
    for (const name of names) {
      if (name.id <= this.#newest) this.#candidates.set(name.id, [...(this.#candidates.get(name.id) ?? []), name]);
    }
    if (tail) this.#names.set(tail.id, nameOf(tail));
  }

  /** The number of the newest segment; 0 without segments. */
  get newest(): number {
    return this.#newest;
  }

  /** The numbers of all segments that were found, and of the newest segment, which may be missing; ascending. */
  get ids(): readonly number[] {
    return [...new Set([...this.#candidates.keys(), ...this.#names.keys()])].sort((a, b) => a - b);
  }

  /** Returns the name of a segment; empty if it is unknown. */
  nameOf(id: number): string {
    const name = this.#names.get(id) ?? this.#likelyName(id);
    if (name !== '') this.#names.set(id, name);
    return name;
  }

  /** Gives a segment a name, unless it has one. */
  ensureName(id: number, name: string): void {
    if (this.nameOf(id) === '') this.#names.set(id, name);
  }

  async read(id: number): Promise<Uint8Array | undefined> {
    const name = this.nameOf(id);
    if (name === '') return undefined;
    const reading = this.#ahead?.get(name) ?? this.#items.get(name);
    this.#ahead?.delete(name);
    this.#fetchBefore(id);
    return reading;
  }

  /** Notes the name and the records of the previous segment, from the envelope of a segment. */
  learn(id: number, { after, before }: Envelope): void {
    if (!this.#lost.has(id + 1)) this.#records.delete(id + 1);
    if (after === '') return;
    this.#names.set(id - 1, after);
    this.#records.set(id - 1, before);
  }

  /** Returns the records of a segment that cannot be read, from the list in the segment after it. */
  recordsOf(id: number): readonly RecordName[] {
    this.#lost.add(id);
    return this.#records.get(id) ?? [];
  }

  /** Adds a segment after the newest. */
  append(id: number, name: string): void {
    this.#ahead = undefined;
    this.#newest = id;
    this.#names.set(id, name);
  }

  /** Takes a segment out of the log. Returns all names under which a part of it may be stored. */
  remove(id: number): readonly string[] {
    const names = new Set((this.#candidates.get(id) ?? []).map(nameOf));
    const name = this.#names.get(id);
    if (name !== undefined) names.add(name);
    this.#candidates.delete(id);
    this.#names.delete(id);
    this.#lost.delete(id);
    this.#records.delete(id);
    return [...names];
  }

  /** Returns the names of segments that are not in the log, each once. Call it after the whole log has been read. */
  strays(): readonly string[] {
    const strays = this.#strays;
    this.#strays = [];
    for (const [id, names] of this.#candidates) {
      const chosen = this.#names.get(id);
      if (chosen === undefined) continue;
      strays.push(...names.map(nameOf).filter((name) => name !== chosen));
      this.#candidates.delete(id);
    }
    return strays;
  }

  #likelyName(id: number): string {
    const newest = newestOf(this.#candidates.get(id) ?? []);
    return newest ? nameOf(newest) : '';
  }

  #fetchBefore(id: number): void {
    if (!this.#ahead) return;
    for (let before = id - 1; before >= id - AHEAD && before > 0; before--) {
      const name = this.#names.get(before) ?? this.#likelyName(before);
      if (name === '' || this.#ahead.has(name)) continue;
      const reading = this.#items.get(name);
      // Readers that wait for it get the failure. Without readers, it does not matter.
      reading.catch(() => {});
      this.#ahead.set(name, reading);
    }
  }
}
