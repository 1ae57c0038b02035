/** Short names for texts. */

/** Letters and digits that cannot spell words. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Returns at most ten characters that names and labels may have: FNV-1a of the text. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return [...String(hash)].map((digit) => letters[Number(digit)] ?? '').join('');
}
