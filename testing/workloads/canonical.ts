/** Compares values by a text that is the same for equal ones. */

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
