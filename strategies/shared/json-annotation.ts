/** Reads annotations that hold JSON, from before there were fields for what they say. */
import type { JsonValue } from '../../runtime/contract/index.js';

/** Returns the value of a JSON text; `undefined` where it is not JSON. */
export function parsedAnnotation(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
