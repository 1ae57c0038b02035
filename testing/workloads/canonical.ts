/** Returns the same text for equal values, and a short name for it. */

/** Returns JSON with sorted keys. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint'
      ? String(part)
      : typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
  );
}

export const isSame = (a: unknown, b: unknown): boolean => canonicalText(a) === canonicalText(b);

/** Letters and digits that cannot spell words. */
const letters = 'bcdfghjklmnpqrstvwxz2456789';

/** Returns at most ten characters that names and labels may have: FNV-1a of the text. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return [...String(hash)].map((digit) => letters[Number(digit)] ?? '').join('');
}
