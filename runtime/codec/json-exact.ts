/** Reads valid JSON without losing anything: repeated keys, 64-bit integers, how numbers were written. */
import type { JsonObject, JsonValue } from '../contract/index.js';
import { getOwn, isObject, setOwn } from '../objects/guards.js';

/** A number whose value is whole, but written with a point or exponent (`2.0`, `1e3`) or too large for 64 bits. */
export interface WholeDecimal {
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

/** The value that was read, and what was noticed on the way. */
export interface ExactJson {
  readonly value: JsonValue;
  /** Paths of keys that were written again, in the order of the text, each once. */
  readonly duplicates: readonly string[];
  readonly decimals: readonly WholeDecimal[];
}

/** Notices are kept up to this many; a client does not read more. */
const maxNotices = 100;

/** How to read. */
export interface ExactOptions {
  /**
   * The treatment of an object whose key is written again: it is replaced, or the two are merged, as happens where
   * bodies are read into typed structures.
   */
  readonly repeated?: 'replace' | 'merge';
  /** Told of every key's path and its offset in the text. */
  readonly onKey?: (path: string, offset: number) => void;
}

/**
 * Reads text that `JSON.parse` accepted and whose depth is known to be bounded. Several times slower than
 * `JSON.parse`, so it is called only where a scan found cause. Of repeated keys the last wins. Throws `NumberOverflow`.
 */
export function parseExact(text: string, options: ExactOptions = {}): ExactJson {
  const reader = new ExactReader(text, options);
  const value = reader.value('');
  return { value, duplicates: [...reader.duplicates], decimals: reader.decimals };
}

class ExactReader {
  readonly duplicates = new Set<string>();
  readonly decimals: WholeDecimal[] = [];
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly options: ExactOptions,
  ) {}

  value(path: string): JsonValue {
    switch (this.next()) {
      case '{':
        return this.object(path);
      case '[':
        return this.array(path);
      case '"':
        return this.string();
      case 't':
        return this.literal(4, true);
      case 'f':
        return this.literal(5, false);
      case 'n':
        return this.literal(4, null);
      default:
        return this.number(path);
    }
  }

  private object(path: string): JsonObject {
    const object: JsonObject = {};
    this.at++;
    while (this.next() !== '}') {
      if (this.next() === ',') this.at++;
      this.next();
      const offset = this.at;
      const key = this.string();
      const keyPath = path === '' ? key : `${path}.${key}`;
      if (Object.hasOwn(object, key) && this.duplicates.size < maxNotices) this.duplicates.add(keyPath);
      this.options.onKey?.(keyPath, offset);
      this.next();
      this.at++;
      const value = this.value(keyPath);
      if (this.options.repeated === 'merge') setMerged(object, key, value);
      else setOwn(object, key, value);
    }
    this.at++;
    return object;
  }

  private array(path: string): JsonValue[] {
    const array: JsonValue[] = [];
    this.at++;
    while (this.next() !== ']') {
      if (this.next() === ',') this.at++;
      array.push(this.value(`${path}[${array.length}]`));
    }
    this.at++;
    return array;
  }

  /** A half of a surrogate pair stands for nothing and becomes U+FFFD. */
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
    if (Number.isInteger(read) && this.decimals.length < maxNotices) this.decimals.push({ path, text });
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

function setMerged(object: JsonObject, key: string, value: JsonValue): void {
  const before = getOwn(object, key);
  if (!isObject(before) || !isObject(value)) setOwn(object, key, value);
  else for (const [inner, innerValue] of Object.entries(value)) setMerged(before, inner, innerValue ?? null);
}

/** An integer that JavaScript's numbers cannot hold: exact up to 64 bits, else the nearest float. */
function wideInteger(text: string, value: number): JsonValue {
  if (text.length > 20) return value;
  const wide = BigInt(text);
  return BigInt.asIntN(64, wide) === wide ? wide : value;
}
