/** Fills in the defaults of an object, unless they would make it too large for any store. */
import type { JsonObject } from '../contract/index.js';
import { mostDefaultBytes, overfills } from './repeated-defaults.js';
import type { VersionCode } from './served-resource.js';

/** Changes the object in place. Where its defaults would be too much, nothing is filled in, and the answer is false. */
export function applyDefaults(resource: VersionCode, object: JsonObject): boolean {
  const place = resource.repeatedDefaults;
  if (place && overfills(place, object)) return false;
  resource.functions.applyDefaults(object);
  return true;
}

/** How a decoder says that an object was left without defaults. */
export const overfilled = `the defaults of its fields would add more than ${mostDefaultBytes} bytes`;
