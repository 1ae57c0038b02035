/** A checksum over the set of live revisions, kept up to date change by change. */
import type { Revision } from '../contract/index.js';

/**
 * The digest after a change: `added` and `removed` are the revisions that the change made live and no longer live; 0
 * for none. Adding and removing the same revision cancel out, and the order does not matter.
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
