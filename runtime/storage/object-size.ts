/** Bounds the size of stored objects: the one place where it is decided, for all stores and all ways of writing. */
import type { Change, EncodedObject, Failure, Revision } from '../contract/index.js';
import { requestEntityTooLarge } from '../objects/failures.js';

/** UTF-8 takes no more bytes than this for a unit of a JavaScript string. */
const MOST_BYTES_PER_UNIT = 3;
/** A revision has no more digits than this. */
const REVISION_BYTES = 16;

/**
 * Refuses a change that would store more than `maxBytes`. Deletion is never refused, nor its mark on an object. An object
 * that was stored under another limit may stay as large as it is, so that it can be made smaller step by step.
 * `storedBytes` are those of the object that the change replaces, 0 where there is none.
 */
export function sizeFailure(
  { next, ending }: Change,
  revision: Revision,
  storedBytes: number,
  maxBytes: number,
): Failure | undefined {
  // Most objects are so small that nobody has to count their bytes.
  if (!next || ending || next.text.length * MOST_BYTES_PER_UNIT + REVISION_BYTES <= maxBytes) return undefined;
  const bytes = storedSize(next, revision);
  if (bytes <= Math.max(maxBytes, storedBytes)) return undefined;
  return requestEntityTooLarge(`the object has ${bytes} bytes as it would be stored, and the limit is ${maxBytes}`);
}

const storedSize = ({ text }: EncodedObject, revision: Revision): number =>
  Buffer.byteLength(text) + String(revision).length;
