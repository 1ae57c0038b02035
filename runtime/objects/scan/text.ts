/** Walks along texts of clients in one pass: what each of these costs grows with the text, and no faster. */

const zero = 0x30;

/** Where the digits that begin at `from` end. */
export function digitsEnd(text: string, from: number): number {
  let at = from;
  while (isDigit(text, at)) at++;
  return at;
}

/** Whether the character at an index is one of `0` to `9`. */
function isDigit(text: string, index: number): boolean {
  const digit = text.charCodeAt(index) - zero;
  return digit >= 0 && digit <= 9;
}

/** The text without the characters at its end that are among `characters`. `/=+$/` would look again from each `=`. */
export function withoutTrailing(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** The text without the characters at its beginning that are among `characters`. */
export function withoutLeading(text: string, characters: string): string {
  let start = 0;
  while (start < text.length && characters.includes(text.charAt(start))) start++;
  return text.slice(start);
}

/** The part of a text before the first occurrence of another, and all of it if there is none. */
export function textBefore(text: string, end: string): string {
  const at = text.indexOf(end);
  return at < 0 ? text : text.slice(0, at);
}
