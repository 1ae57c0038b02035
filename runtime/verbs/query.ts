/** Reads query parameters the way the reference does: the first value counts, and mistakes are a 400. */
import type { Failure, Result } from '../contract/index.js';
import { badRequest } from '../objects/status.js';

/** A parsed query; parsing is put off until a parameter is asked for. */
export class Query {
  readonly #search: string;
  #parsed: URLSearchParams | undefined;

  constructor(search: string) {
    this.#search = search;
  }

  /** The first value, empty where the parameter is absent. */
  text(name: string): string {
    return this.#params()?.get(name) ?? '';
  }

  has(name: string): boolean {
    return this.#params()?.has(name) ?? false;
  }

  all(name: string): readonly string[] {
    return this.#params()?.getAll(name) ?? [];
  }

  /** `false` and `0` are false, an absent parameter is undefined, anything else is true. */
  boolean(name: string): boolean | undefined {
    if (!this.has(name)) return undefined;
    const value = this.text(name).toLowerCase();
    return value !== 'false' && value !== '0';
  }

  /** A signed 64-bit integer in decimal; absent or empty is undefined. */
  integer(name: string): Result<number | undefined> {
    const value = this.text(name);
    if (value === '') return { ok: true, value: undefined };
    if (!/^[+-]?\d+$/.test(value)) return { ok: false, failure: notAnInteger(value, 'invalid syntax') };
    const exact = BigInt(value);
    if (exact !== BigInt.asIntN(64, exact)) return { ok: false, failure: notAnInteger(value, 'value out of range') };
    return { ok: true, value: Number(exact) };
  }

  #params(): URLSearchParams | undefined {
    if (this.#search === '') return undefined;
    this.#parsed ??= new URLSearchParams(this.#search);
    return this.#parsed;
  }
}

const notAnInteger = (value: string, why: string): Failure =>
  badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: ${why}`);
