/** Writes revisions into encoded objects, at `metadata.resourceVersion`. */
import type { Attributes, EncodedObject, Revision } from '../contract/index.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** Returns the object's JSON with this revision as its resourceVersion. */
export function stampRevision(object: EncodedObject, revision: Revision): string {
  return stampedPieces(object, revision).join('');
}

/** Returns the same in pieces, for callers that write them: joining would copy the text. */
export function stampedPieces({ text, revisionAt }: EncodedObject, revision: Revision): readonly string[] {
  return [text.slice(0, revisionAt), String(revision), text.slice(revisionAt)];
}

/**
 * Copies an object's stored bytes with another revision. Returns the same bytes if they have this revision, and
 * `undefined` if they have no resourceVersion.
 */
export function restampBytes(bytes: Uint8Array, revision: Revision): Uint8Array | undefined {
  const place = findRevision(bytes);
  if (!place) return undefined;
  const { start, end } = place;
  const digits = String(revision);
  if (asciiOf(bytes, start, end) === digits) return bytes;
  return Buffer.concat([bytes.subarray(0, start), Buffer.from(digits), bytes.subarray(end)]);
}

/** Returns the resourceVersion in stored bytes; empty if they have none. */
export function readStamp(bytes: Uint8Array): string {
  const place = findRevision(bytes);
  return place ? asciiOf(bytes, place.start, place.end) : '';
}

/** Returns stored bytes as an object that waits for its revision; undefined if they have no resourceVersion. */
export function toEncodedObject(bytes: Uint8Array, attributes: Attributes): EncodedObject | undefined {
  const place = findRevision(bytes);
  if (!place) return undefined;
  const head = Buffer.from(bytes.subarray(0, place.start)).toString();
  return { text: head + Buffer.from(bytes.subarray(place.end)).toString(), revisionAt: head.length, attributes };
}

/** Finds the value of `metadata.resourceVersion` between its quotes, in one pass and without decoding. */
function findRevision(bytes: Uint8Array): { readonly start: number; readonly end: number } | undefined {
  let depth = 0;
  let key = '';
  let inMetadata = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (depth === 2 && inMetadata && key === 'resourceVersion') return { start: at + 1, end };
      if (depth <= 2) key = bytes[end + 1] === COLON ? keyIn(bytes, at + 1, end) : '';
      at = end;
    } else if (byte === 0x7b || byte === 0x5b) {
      depth++;
      if (depth === 2) inMetadata = key === 'metadata';
      key = '';
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return undefined;
}

/** Returns the position of the closing quote of the string that begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let end = bytes.indexOf(QUOTE, start + 1);
  while (end > 0 && isEscaped(bytes, end)) end = bytes.indexOf(QUOTE, end + 1);
  return end < 0 ? bytes.length : end;
}

/** Checks whether an odd number of backslashes precedes a position. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  let start = at;
  while (bytes[start - 1] === BACKSLASH) start--;
  return (at - start) % 2 === 1;
}

/** Returns the text of a key if it is as long as one of the wanted keys; empty for others. */
function keyIn(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start;
  return length === 'metadata'.length || length === 'resourceVersion'.length ? asciiOf(bytes, start, end) : '';
}

/** Decodes some bytes; returns an empty text if they are longer than any wanted key. */
function asciiOf(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > 32) return '';
  let text = '';
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at] ?? 0);
  return text;
}

/**
 * Returns the digest after a change. `added` is the revision that the change made live, and `removed` the revision that
 * is no longer live; 0 for none. Adding and removing the same revision cancel out. The order does not matter.
 */
export function updateDigest(digest: number, added: Revision, removed: Revision): number {
  return (digest ^ scatter(added) ^ scatter(removed)) >>> 0;
}

/** Spreads a revision over 32 bits, as in the finaliser of MurmurHash3; 0 stays 0. */
function scatter(revision: Revision): number {
  let bits = (revision ^ (revision / 0x1_0000_0000)) | 0;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return bits ^ (bits >>> 16);
}
