/** Reads texts of others, which may be anything, as JSON objects. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';

/** The object that a text is in JSON; `undefined` where it is something else. */
export function jsonObjectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
