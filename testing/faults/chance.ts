/** Chance that comes of a seed: the same for the same request, however requests of others lie between. */

/** A number from 0 to below 1 that follows from a seed and a text. */
export function chanceOf(seed: number, text: string): number {
  // FNV-1a, and the last steps of MurmurHash3, so that texts that differ by little are far apart.
  let hash = (0x811c9dc5 ^ seed) >>> 0;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
