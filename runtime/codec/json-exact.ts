/** Reads valid JSON without loss: it keeps repeated keys, 64-bit integers and the written form of numbers. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { getOwn, isObject, setOwn } from '../objects/guards.js';
import type { SoughtPaths } from './sought-paths.js';

/**
 * A number with a written form that differs from its printed value: with a point or exponent (`2.0`, `1e3`, `1e-3`),
 * with more digits than a float has, or too large for 64 bits.
 */
export interface WrittenNumber {
  /** Path from the root, as in `spec.list[0].port`. */
  readonly path: string;
  readonly text: string;
}

/** A number too large for any type. */
export class NumberOverflow extends Error {
  constructor(
    readonly text: string,
    readonly offset: number,
  ) {
    super(`json: cannot unmarshal number ${text} into Go value of type float64`);
  }
}

/** The value, with repeated keys and numbers in a special form. */
export interface ExactJson {
  readonly value: JsonValue;
  /** Paths of repeated keys, in the order of the text, each once. */
  readonly duplicates: readonly string[];
  readonly decimals: readonly WrittenNumber[];
}

/** The most notices of each kind. Clients do not read more. */
const maxNotices = 100;

/** How to read. */
export interface ExactOptions {
  /** How to treat objects at a repeated key: the last one wins, or they are merged, as in typed structures. */
  readonly repeated?: 'replace' | 'merge';
  /** Paths to find in the text, with their offsets. The last of repeated keys counts. */
  readonly sought?: SoughtPaths;
}

/**
 * Reads text of any depth that `JSON.parse` accepted. It is several times slower than `JSON.parse`, so callers use it
 * only if a scan found a reason. The last of repeated keys wins. Throws `NumberOverflow`.
 */
export function parseExact(text: string, options: ExactOptions = {}): ExactJson {
  const reader = new ExactReader(text, options);
  const value = reader.read();
  return { value, duplicates: [...reader.duplicates], decimals: reader.decimals };
}

/** A list or an object in progress, and its next member. */
interface Open {
  readonly within: Open | undefined;
  readonly items: JsonValue[] | undefined;
  readonly object: JsonObject;
  readonly path: string;
  readonly sought: SoughtPaths | undefined;
  key: string;
  memberPath: string;
  memberSought: SoughtPaths | undefined;
}

class ExactReader {
  readonly duplicates = new Set<string>();
  readonly decimals: WrittenNumber[] = [];
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly options: ExactOptions,
  ) {}

  /** Reads the whole. Keeps open lists and objects in a chain, because deep values would overflow the stack. */
  read(): JsonValue {
    let open: Open | undefined;
    let path = '';
    let { sought } = this.options;
    for (;;) {
      let value: JsonValue;
      const char = this.next();
      if (char === '{' || char === '[') {
        this.at++;
        open = opened(open, char === '[' ? [] : undefined, path, sought);
        if (this.nextMember(open)) {
          path = open.memberPath;
          sought = open.memberSought;
          continue;
        }
        value = open.items ?? open.object;
        open = open.within;
      } else value = this.scalar(char, path);
      while (open) {
        this.put(open, value);
        if (this.nextMember(open)) break;
        value = open.items ?? open.object;
        open = open.within;
      }
      if (!open) return value;
      path = open.memberPath;
      sought = open.memberSought;
    }
  }

  private scalar(char: string, path: string): JsonValue {
    if (char === '"') return this.string();
    if (char === 't') return this.literal(4, true);
    if (char === 'f') return this.literal(5, false);
    return char === 'n' ? this.literal(4, null) : this.number(path);
  }

  /** Moves to the value of the next member. Returns false at the end. */
  private nextMember(open: Open): boolean {
    let char = this.next();
    if (char === ',') {
      this.at++;
      char = this.next();
    }
    if (char === '}' || char === ']') {
      this.at++;
      return false;
    }
    if (open.items) {
      open.memberPath = `${open.path}[${open.items.length}]`;
      open.memberSought = open.sought?.item(open.items.length);
    } else this.nextKey(open);
    return true;
  }

  private nextKey(open: Open): void {
    const offset = this.at;
    const key = this.string();
    const path = open.path === '' ? key : `${open.path}.${key}`;
    if (Object.hasOwn(open.object, key) && this.duplicates.size < maxNotices) this.duplicates.add(path);
    open.key = key;
    open.memberPath = path;
    open.memberSought = open.sought?.member(key);
    open.memberSought?.found(offset);
    this.next();
    this.at++;
  }

  private put(open: Open, value: JsonValue): void {
    if (open.items) open.items.push(value);
    else if (this.options.repeated === 'merge') setMerged(open.object, open.key, value);
    else setOwn(open.object, open.key, value);
  }

  /** Reads a string. Replaces an unpaired surrogate by U+FFFD. */
  private string(): string {
    const start = this.at++;
    while (this.text.charAt(this.at) !== '"') this.at += this.text.charAt(this.at) === '\\' ? 2 : 1;
    this.at++;
    const raw = this.text.slice(start, this.at);
    if (!raw.includes('\\')) return raw.slice(1, -1);
    const value: unknown = JSON.parse(raw);
    return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\ufffd') : '';
  }

  private number(path: string): JsonValue {
    const start = this.at;
    while (/[-+.eE0-9]/.test(this.text.charAt(this.at))) this.at++;
    const text = this.text.slice(start, this.at);
    const value = Number(text);
    if (!Number.isFinite(value)) throw new NumberOverflow(text, start);
    const digits = !/[.eE]/.test(text);
    if (digits && Number.isSafeInteger(value)) return value + 0;
    const read = digits ? wideInteger(text, value) : value;
    const isPrinted = !Number.isInteger(read) && String(read) === text;
    if (!isPrinted && this.decimals.length < maxNotices) this.decimals.push({ path, text });
    return read;
  }

  private literal<T>(length: number, value: T): T {
    this.at += length;
    return value;
  }

  private next(): string {
    while (/[ \t\r\n]/.test(this.text.charAt(this.at))) this.at++;
    return this.text.charAt(this.at);
  }
}

function opened(
  within: Open | undefined,
  items: JsonValue[] | undefined,
  path: string,
  sought: SoughtPaths | undefined,
): Open {
  return { within, items, object: {}, path, sought, key: '', memberPath: '', memberSought: undefined };
}

function setMerged(object: JsonObject, key: string, value: JsonValue): void {
  const before = getOwn(object, key);
  if (!isObject(before) || !isObject(value)) {
    setOwn(object, key, value);
    return;
  }
  const waiting: [into: JsonObject, from: JsonObject][] = [[before, value]];
  for (const [into, from] of waiting) {
    for (const [inner, added = null] of Object.entries(from)) {
      const there = getOwn(into, inner);
      if (isObject(there) && isObject(added)) waiting.push([there, added]);
      else setOwn(into, inner, added);
    }
  }
}

/** Reads an integer that a JavaScript number cannot hold. It is exact up to 64 bits, otherwise the nearest float. */
function wideInteger(text: string, value: number): JsonValue {
  if (text.length > 20) return value;
  const wide = BigInt(text);
  return BigInt.asIntN(64, wide) === wide ? wide : value;
}
