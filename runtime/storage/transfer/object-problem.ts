/** Finds faults of stored objects. */
import type { JsonValue, Key, Revision } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';

/** Compares a stored object with its key and revision. Returns undefined if it is valid. */
export function objectProblem(key: Key, revision: Revision, bytes: Uint8Array): string | undefined {
  const object = parse(bytes);
  if (!isObject(object)) return `the object stored at revision ${revision} is not a JSON object`;
  const { metadata } = object;
  if (!isObject(metadata)) return 'the object has no metadata';
  const { resourceVersion, name, namespace } = metadata;
  if (resourceVersion !== String(revision)) {
    return `the object has resourceVersion ${JSON.stringify(resourceVersion)}, but is stored at revision ${revision}`;
  }
  const [, , ...place] = key.split('/');
  if (typeof name === 'string' && place.at(-1) !== name)
    return `the object stored here is named ${JSON.stringify(name)}`;
  if (typeof namespace === 'string' && place.length > 1 && place[0] !== namespace) {
    return `the object stored here is in namespace ${JSON.stringify(namespace)}`;
  }
  return undefined;
}

function parse(bytes: Uint8Array): JsonValue | undefined {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
  } catch {
    return undefined;
  }
}
