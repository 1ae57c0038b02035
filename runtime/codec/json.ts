/** Decodes JSON bodies without loss and reports repeated keys; encodes values. */
import { isUtf8 } from 'node:buffer';
import type { JsonValue } from '../contract/index.js';
import { indentedLevels, isDeeper, readableLevels, writeJson } from '../objects/from-below.js';
import { isObject } from '../objects/guards.js';
import { indentationOf, longestIndented } from './indentation.js';
import { findJsonProblem } from './json-errors.js';
import { NumberOverflow, parseExact, type WrittenNumber } from './json-exact.js';
import { duplicateFieldRemark } from './remarks.js';
import { seekPaths } from './sought-paths.js';
import { repairUtf8 } from './unicode.js';

export type { WrittenNumber };

/** How to decode a body. */
export interface DecodeOptions {
  /** The most levels of nesting; by default 10,000. */
  readonly maxDepth?: number;
  /** How to treat objects at a repeated key: `replace` (the default), or `merge` for typed kinds. */
  readonly repeated?: 'replace' | 'merge';
}

/** A decoded body, or its problem. */
export type Decoded =
  | {
      readonly ok: true;
      readonly syntax: 'json' | 'yaml';
      readonly value: JsonValue;
      /** Paths of repeated keys (`spec.a[0].b`) in the order of the text, each once, at most 100. */
      readonly duplicates: readonly string[];
      /** The words for `duplicates` in warnings. */
      readonly remarks: readonly string[];
      /**
       * Numbers with a written form that differs from their printed value, at most 100. Typed fields use the written
       * form.
       */
      readonly decimals: readonly WrittenNumber[];
    }
  | {
      readonly ok: false;
      readonly syntax: 'json' | 'yaml';
      /** The decoder's words. */
      readonly problem: string;
      /** The offset in characters of the text. */
      readonly offset: number;
    };

/** The most levels to count keys in, by recursion. Deeper values take the slower path. */
const countedLevels = 1000;

const nothing: readonly never[] = [];

/**
 * Decodes a body. Each byte that is not UTF-8 counts as U+FFFD. Usually takes up to one and a half times as long as
 * `JSON.parse`. Repeated keys, wide integers and similar cases need a second, slower pass.
 */
export function decodeJson(body: Uint8Array | string, options: DecodeOptions = {}): Decoded {
  if (typeof body === 'string') return decodeText(body, Buffer.from(body, 'utf8'), options);
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const valid = isUtf8(bytes) ? bytes : repairUtf8(bytes);
  return decodeText(valid.toString('utf8'), valid, options);
}

/** Decodes JSON that `encodeJson` has written, without repeated keys. Returns `undefined` for other bytes. */
export function decodeEncoded(bytes: Uint8Array): JsonValue | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  try {
    const value: JsonValue = JSON.parse(text);
    return scanJson(buffer).lossy ? parseExact(text).value : value;
  } catch {
    return undefined;
  }
}

function decodeText(text: string, bytes: Buffer, options: DecodeOptions): Decoded {
  let value: JsonValue;
  try {
    value = JSON.parse(text);
  } catch {
    const found = findJsonProblem(text) ?? { message: 'invalid JSON', offset: 0 };
    return refused(found.message, found.offset);
  }
  const scan = scanJson(bytes);
  const { maxDepth = readableLevels } = options;
  if (scan.depth > maxDepth) return tooDeep(text, maxDepth);
  // Recursion counts the keys, so the number of levels is limited.
  if (!scan.lossy && scan.depth <= countedLevels && scan.keys === countKeys(value)) {
    return { ok: true, syntax: 'json', value, duplicates: nothing, remarks: nothing, decimals: nothing };
  }
  return decodeExactly(text, options);
}

function refused(problem: string, offset: number): Decoded {
  return { ok: false, syntax: 'json', problem, offset };
}

function decodeExactly(text: string, options: DecodeOptions): Decoded {
  try {
    const read = parseExact(text, options);
    return { ok: true, syntax: 'json', ...read, remarks: read.duplicates.map(duplicateFieldRemark) };
  } catch (problem) {
    if (problem instanceof NumberOverflow) return refused(problem.message, problem.offset);
    throw problem;
  }
}

/** Counts the keys in a value. If its text has more keys, some are repeated. */
function countKeys(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countKeys(item);
    return count;
  }
  for (const key in value) {
    count++;
    const child = value[key];
    if (typeof child === 'object') count += countKeys(child);
  }
  return count;
}

function tooDeep(text: string, maxDepth: number): Decoded {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (inString && char === '\\') i++;
    else if (char === '"') inString = !inString;
    else if (!inString && (char === '}' || char === ']')) depth--;
    else if (!inString && (char === '{' || char === '[') && ++depth > maxDepth) {
      return refused(`invalid character '${char}' exceeded max depth`, i);
    }
  }
  return refused('exceeded max depth', 0);
}

/**
 * Returns the offsets of the fields at these paths, to list remarks in the order of the text. The last of repeated keys
 * counts. The text must be valid.
 */
export function fieldOffsets(text: string, paths: readonly string[]): ReadonlyMap<string, number> {
  const sought = seekPaths(paths);
  parseExact(text, { sought: sought.from });
  return sought.offsets;
}

/**
 * Encodes a value, in one line or indented by two spaces. Writes it in one line if indentation makes it too long.
 * Writes 64-bit integers in full.
 */
export function encodeJson(value: JsonValue, pretty = false): string {
  if (pretty && indentationOf(value, longestIndented) > longestIndented) return encodeJson(value);
  const indent = pretty ? 2 : undefined;
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (problem) {
    // A bigint causes a TypeError, and a few thousand levels a RangeError. The `catch` costs nothing for other values.
    if (!(problem instanceof TypeError) && !isDeeper(value, indentedLevels)) throw problem;
    return writeJson(value, { pretty });
  }
}

/** Returns the JSON type of a value in decoding errors. */
export function jsonTypeOf(value: JsonValue): 'object' | 'array' | 'string' | 'number' | 'bool' | 'null' {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isObject(value)) return 'object';
  if (typeof value === 'string') return 'string';
  return typeof value === 'boolean' ? 'bool' : 'number';
}

/** The findings of a scan of valid JSON. */
interface JsonScan {
  /** The number of object keys in the text, including repeats. */
  readonly keys: number;
  /** Levels of nesting; 0 for a scalar. */
  readonly depth: number;
  /**
   * Whether `JSON.parse` may have lost something: long numbers, numbers with a point or exponent, surrogate escapes.
   */
  readonly lossy: boolean;
}

const quoteCode = 0x22;
const backslash = 0x5c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const zero = 0x30;
const nine = 0x39;
const point = 0x2e;
const upperE = 0x45;
const lowerE = 0x65;
const lowerU = 0x75;
const lowerD = 0x64;
const upperD = 0x44;

/** Integers of fewer digits are exact as JavaScript numbers. */
const exactDigits = 16;

/** The longest string to search byte by byte. For longer strings a native search is faster. */
const shortString = 32;

/**
 * Scans JSON. Visits each byte once and allocates only the result. Reading bytes takes a third of the time of reading
 * characters. Only ASCII matters here, and it never occurs inside longer UTF-8 sequences. The order of tests is fastest
 * for commas and letters, the most frequent characters.
 */
function scanJson(text: Buffer): JsonScan {
  const length = text.length;
  const hasEscapes = text.includes(backslash);
  const escapes = { surrogates: false };
  let lossy = false;
  let keys = 0;
  let level = 0;
  let depth = 0;
  let i = 0;
  while (i < length) {
    const code = text[i++] ?? 0;
    if (code === quoteCode) {
      i = hasEscapes ? behindEscaped(text, i, escapes) : behindPlain(text, i);
      // Most keys have their colon right after them. Other keys are counted below.
      if (text[i] === colon) {
        keys++;
        i++;
      }
    } else if (code >= openBracket) {
      if (code === openBrace || code === openBracket) {
        if (++level > depth) depth = level;
      } else if (code === closeBrace || code === closeBracket) level--;
    } else if (code >= zero && code <= nine) {
      const start = i;
      let digit = text[i] ?? 0;
      while (digit >= zero && digit <= nine) digit = text[++i] ?? 0;
      if (i - start >= exactDigits - 1 || digit === point || digit === lowerE || digit === upperE) lossy = true;
    } else if (code === colon) keys++;
  }
  return { keys, depth, lossy: lossy || escapes.surrogates };
}

/** Returns the position after the object or list that begins at `start` in valid JSON. Visits each of its bytes. */
export function behindValue(text: Buffer, start: number): number {
  let level = 0;
  for (let i = start; i < text.length; ) {
    const code = text[i++];
    if (code === quoteCode) i = behindEscaped(text, i, noted);
    else if (code === openBrace || code === openBracket) level++;
    else if ((code === closeBrace || code === closeBracket) && --level === 0) return i;
  }
  return text.length;
}

/** Gets the notes of `behindEscaped` if the caller does not need them. */
const noted = { surrogates: false };

/** Returns the position after a string's closing quote. Starts inside the string, which must have no escapes. */
function behindPlain(text: Buffer, from: number): number {
  const longFrom = from + shortString;
  for (let i = from; i < longFrom; ) if (text[i++] === quoteCode) return i;
  return text.indexOf(quoteCode, longFrom) + 1;
}

/** Works like `behindPlain`, but allows escapes in the string. Notes whether it saw an escape of a surrogate. */
function behindEscaped(text: Buffer, from: number, seen: { surrogates: boolean }): number {
  for (let i = from; i < text.length; ) {
    const code = text[i++];
    if (code === quoteCode) return i;
    if (code !== backslash) continue;
    if (text[i] === lowerU && isSurrogateEscape(text[i + 1])) seen.surrogates = true;
    i++;
  }
  return text.length;
}

/**
 * Returns whether the D of a surrogate's code comes after `\u` (`\ud83d`). A few other letters have this D too, which
 * is harmless.
 */
function isSurrogateEscape(code: number | undefined): boolean {
  return code === lowerD || code === upperD;
}
