/** JSON Pointer (RFC 6901): the text form of a path into a JSON document. */

/** The unescaped reference tokens; empty for the whole document. */
export type Pointer = readonly string[];

/** The tokens of a pointer, or `undefined` where the text is no pointer. */
export function parsePointer(text: string): Pointer | undefined {
  if (text === '') return [];
  if (!text.startsWith('/')) return undefined;
  return text.slice(1).split('/').map(unescapeToken);
}

/**
 * As `parsePointer`, but forgiving: whatever stands before the first slash is skipped, as in `data/a` or `#/data/a`.
 * A text without a slash that is not empty is no pointer.
 */
export function parseLoosePointer(text: string): Pointer | undefined {
  const slash = text.indexOf('/');
  return parsePointer(slash < 0 ? text : text.slice(slash));
}

/** The text of a pointer. */
export function formatPointer(pointer: Pointer): string {
  return pointer.map((token) => `/${token.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** `~1` is a slash and `~0` a tilde, in this order; any other tilde stands for itself. */
function unescapeToken(token: string): string {
  return token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
}

const INDEX = /^(?:0|[1-9]\d{0,9})$/;

/** The list index a token stands for: decimal, no sign, no leading zeros. */
export function parseIndex(token: string): number | undefined {
  return INDEX.test(token) ? Number(token) : undefined;
}

const LOOSE_INDEX = /^[+-]?\d{1,10}$/;

/** As `parseIndex`, with signs and leading zeros allowed; negative indexes are returned as they are. */
export function parseLooseIndex(token: string): number | undefined {
  return LOOSE_INDEX.test(token) ? Number(token) : undefined;
}
