/** Reads lists inside objects; what has another shape than the schema asks for reads as nothing. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { getOwn, isStringArray } from '../../runtime/objects/guards.js';

/** The texts of a list; empty unless all of its items are texts. */
export function stringsAt(parent: JsonObject | undefined, key: string): readonly string[] {
  const list = parent === undefined ? undefined : getOwn(parent, key);
  return isStringArray(list) ? list : [];
}

/** The number at a key, or the fallback where there is none. Numbers beyond 2^53 are out of every range asked for. */
export function numberAt(parent: JsonObject | undefined, key: string, fallback = 0): number {
  const value = parent === undefined ? undefined : getOwn(parent, key);
  return typeof value === 'number' ? value : typeof value === 'bigint' ? Number(value) : fallback;
}

/** Whether a field is there, null included. */
export function has(parent: JsonObject | undefined, key: string): boolean {
  return parent !== undefined && getOwn(parent, key) !== undefined;
}
