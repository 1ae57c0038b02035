/** Reads query parameters as the reference does: the first value counts, and mistakes are a 400. */
import type { Failure, Result } from '../contract/index.js';
import { memoize } from '../objects/memoize.js';
import { parseInt64 } from '../objects/scan/numbers.js';
import { badRequest } from '../objects/status.js';

/** A query, which is parsed when a parameter is asked for. */
export class Query {
  readonly #search: string;
  #parsed: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(search: string) {
    this.#search = search;
  }

  /** Returns the first value; empty if the parameter is absent. */
  text(name: string): string {
    return this.all(name)[0] ?? '';
  }

  has(name: string): boolean {
    return this.#params().has(name);
  }

  all(name: string): readonly string[] {
    return this.#params().get(name) ?? [];
  }

  /** Returns false for `false` and `0`, `undefined` for an absent parameter, and true for all others. */
  boolean(name: string): boolean | undefined {
    if (!this.has(name)) return undefined;
    const value = this.text(name).toLowerCase();
    return value !== 'false' && value !== '0';
  }

  /** Returns a signed 64-bit integer in decimal; `undefined` if the parameter is absent. */
  integer(name: string): Result<number | undefined> {
    if (!this.has(name)) return { ok: true, value: undefined };
    const value = this.text(name);
    const read = parseInt64(value);
    return read.ok
      ? { ok: true, value: Number(read.value) }
      : { ok: false, failure: notAnInteger(value, read.problem) };
  }

  #params(): ReadonlyMap<string, readonly string[]> {
    this.#parsed ??= parseQuery(this.#search);
    return this.#parsed;
  }
}

/**
 * Returns the query of a text. The same text gives the same object while it is remembered, so that results can be kept
 * with it: clients repeat their queries.
 */
export const queryOf = memoize((search) => new Query(search));

const noParameters: ReadonlyMap<string, readonly string[]> = new Map();

/** Parses a query. Ignores pairs with a semicolon or a malformed escape. */
export function parseQuery(search: string): ReadonlyMap<string, readonly string[]> {
  if (search === '') return noParameters;
  const parameters = new Map<string, string[]>();
  for (const pair of search.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const name = unescapeText(equals < 0 ? pair : pair.slice(0, equals));
    const value = equals < 0 ? '' : unescapeText(pair.slice(equals + 1));
    if (name === undefined || value === undefined) continue;
    const values = parameters.get(name);
    if (values) values.push(value);
    else parameters.set(name, [value]);
  }
  return parameters;
}

/** Decodes escapes, and plus signs as spaces; returns `undefined` for a malformed escape. */
function unescapeText(text: string): string | undefined {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  if (/%(?![0-9a-fA-F]{2})/.test(spaced)) return undefined;
  try {
    return decodeURIComponent(spaced);
  } catch {
    // The escapes are well-formed, but their bytes are not UTF-8. Invalid bytes are replaced.
    return Buffer.from(spaced.replace(/%([0-9a-fA-F]{2})/g, escapedByte), 'latin1').toString();
  }
}

const escapedByte = (_: string, digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));

const notAnInteger = (value: string, why: string): Failure =>
  badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: ${why}`);
