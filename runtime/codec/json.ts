/** JSON bodies: decoding that loses and hides nothing, and encoding. */
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

/** The bodies that are accepted. */
export interface DecodeOptions {
  /** Levels of nesting that the value may have, 10,000 by default. */
  readonly maxDepth?: number;
  /** The treatment of objects at a repeated key: `replace` (the default), or `merge` for typed kinds. */
  readonly repeated?: 'replace' | 'merge';
}

/** A decoded body, or why it is not one. */
export type Decoded =
  | {
      readonly ok: true;
      readonly syntax: 'json' | 'yaml';
      readonly value: JsonValue;
      /** Paths of repeated keys (`spec.a[0].b`) in the order of the text, each once, at most 100. */
      readonly duplicates: readonly string[];
      /** The same in words, for warnings. */
      readonly remarks: readonly string[];
      /**
       * Numbers that are written differently from how their values are printed, at most 100. Typed fields use the
       * written form.
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

/** Levels of a value in which keys are counted; deeper values take the slower path. */
const countedLevels = 1000;

const nothing: readonly never[] = [];

/**
 * Decodes a body. Each byte that is not UTF-8 counts as U+FFFD. Usually takes up to one and a half times as long as `JSON.parse`. Repeated keys, wide integers and
 * the like need a second, slower pass.
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
  // Keys are counted by recursion, which is limited to so many levels.
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

/** Counts the keys in a value. Fewer keys than in its text mean that some were repeated. */
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
 * Returns offsets of the fields at these paths, for listing remarks in the order of the text. The last of repeated keys
 * counts. Only for text that has been decoded.
 */
export function fieldOffsets(text: string, paths: readonly string[]): ReadonlyMap<string, number> {
  const sought = seekPaths(paths);
  parseExact(text, { sought: sought.from });
  return sought.offsets;
}

/**
 * Encodes a value, in one line or indented by two spaces; what would get too long by that is written in one line.
 * 64-bit integers are written in full.
 */
export function encodeJson(value: JsonValue, pretty = false): string {
  if (pretty && indentationOf(value, longestIndented) > longestIndented) return encodeJson(value);
  const indent = pretty ? 2 : undefined;
  try {
    return JSON.stringify(value, undefined, indent);
  } catch (problem) {
    // A bigint causes a TypeError, and a few thousand levels a RangeError. Other values pay nothing for the `catch`.
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

/** The findings of a scan. Only text that is valid JSON may be scanned. */
interface JsonScan {
  /** Object keys in the text, repeats included. */
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

/** Strings are looked through by the byte up to this length; for longer ones a native search pays. */
const shortString = 32;

/**
 * Scans JSON. Visits each byte once and allocates only the result. Reading bytes takes a third of the time of
 * characters; only ASCII matters here, which never occurs inside longer UTF-8 sequences. The order of tests favours
 * commas and letters, the most frequent characters.
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
      // Most keys have their colon right after them; the others are counted below.
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

/** Returns the position after the object or list that begins at `start` of valid JSON. Visits each of its bytes. */
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

/** Receives the notes of `behindEscaped` if the caller does not need them. */
const noted = { surrogates: false };

/** Returns the position after a string's closing quote. Starts inside the string, which must have no escapes. */
function behindPlain(text: Buffer, from: number): number {
  const longFrom = from + shortString;
  for (let i = from; i < longFrom; ) if (text[i++] === quoteCode) return i;
  return text.indexOf(quoteCode, longFrom) + 1;
}

/** Returns the same for text that may have escapes. Notes whether some are escapes of surrogates. */
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
 * Returns whether `\u` is followed by the D of a surrogate's code (`\ud83d`). A few other letters share it, which is
 * harmless.
 */
function isSurrogateEscape(code: number | undefined): boolean {
  return code === lowerD || code === upperD;
}
