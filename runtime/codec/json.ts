/** JSON bodies: decoding that loses and hides nothing, and encoding. */
import { isUtf8 } from 'node:buffer';
import type { JsonValue } from '../contract/index.js';
import { indentedLevels, isDeeper, readableLevels, writeJson } from '../objects/from-below.js';
import { isObject } from '../objects/guards.js';
import { indentationOf, longestIndented } from './indentation.js';
import { findJsonProblem } from './json-errors.js';
import { NumberOverflow, parseExact, type WrittenNumber } from './json-exact.js';
import { scanJson } from './json-scan.js';
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
      /** Numbers that are not written as their values are printed, which typed fields take as they are written; at most 100. */
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
  // Keys are counted by recursion, which only so many levels have room for.
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
    // A bigint is a TypeError, and a few thousand levels are a RangeError; catching them is free for all other values.
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
