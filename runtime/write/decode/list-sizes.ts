/** Bounds how many objects the lists of an object have, which is what validating a built-in kind costs. */
import type { Failure, JsonValue } from '../../contract/index.js';
import { isArray, isObject } from '../../objects/guards.js';
import { requestEntityTooLarge } from '../../objects/status.js';
import type { ServedResource } from '../../resource/served-resource.js';

/** A list of real objects that is as long as the store takes has fewer: each needs a name of its own. */
export const mostListedObjects = 50_000;

/** An object in a list takes two bytes at least, in protobuf. */
const fewestBytes = 2 * mostListedObjects;

/**
 * The refusal of a value of a built-in kind whose lists have too many objects. Custom resources are validated by compiled
 * code, and have no such limit. Bodies of fewer `bytes` than it takes are not looked at.
 */
export function listSizeFailure(
  { module }: ServedResource,
  value: JsonValue,
  bytes = fewestBytes,
): Failure | undefined {
  if (module.decoding !== 'typed' || bytes < fewestBytes || listedObjects(value) <= mostListedObjects) return undefined;
  return requestEntityTooLarge(`limit is ${mostListedObjects} objects in the lists of an object`);
}

/** Counts objects that are items of lists, at any depth, until there are too many. */
function listedObjects(value: JsonValue): number {
  let count = 0;
  const open: JsonValue[] = [value];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (isArray(next)) {
      for (const item of next) {
        if (typeof item !== 'object' || item === null) continue;
        if (isObject(item) && ++count > mostListedObjects) return count;
        open.push(item);
      }
    } else if (isObject(next)) {
      for (const name in next) {
        const member = next[name];
        if (typeof member === 'object' && member !== null) open.push(member);
      }
    }
  }
  return count;
}
