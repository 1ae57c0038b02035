/** Converts a value that one version has wherever the other one has none; called by generated conversions. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { equal } from '../../objects/equality.js';
import { putAnnotation, takeAnnotation } from './annotation-places.js';
import { addAt, dropAt, valueAt } from './places.js';

/** Text of the annotation that tells a written value from one that is there because there was none. */
const WRITTEN = 'written';

/** Adds the value where there is none; one that is there although it says the same is marked as written. */
export function addDefault(object: JsonObject, value: JsonValue, keys: readonly string[], annotation?: string): void {
  const known = valueAt(object, ...keys);
  if (known === undefined) addAt(object, value, ...keys);
  else if (annotation !== undefined && equal(known, value)) putAnnotation(object, WRITTEN, annotation, 'text');
}

/** Takes the value out again, unless it is marked as written. */
export function dropDefault(object: JsonObject, value: JsonValue, keys: readonly string[], annotation?: string): void {
  const isWritten = annotation !== undefined && takeAnnotation(object, annotation, 'text') === WRITTEN;
  const known = valueAt(object, ...keys);
  if (!isWritten && known !== undefined && equal(known, value)) dropAt(object, ...keys);
}
