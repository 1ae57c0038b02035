/**
 * Mail addresses of RFC 5322, alone or with a name: `a@example.com`, `A B <a@example.com>`. As in the reference, the
 * domain cannot be an IP address in brackets.
 */

const atomChars = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\-\\u0080-\\u{10FFFF}]";
const dotAtom = new RegExp(`^${atomChars}+(?:\\.${atomChars}+)*$`, 'u');
const phraseWord = new RegExp(`(?:"(?:[^"\\\\]|\\\\.)*"|(?:${atomChars}|\\.)+)\\s*`, 'suy');
const quoted = /^"(?:[^"\\\r\n]|\\[^\r\n])*"$/u;

/** The longest text to check: 64 characters before the at-sign, 255 after it, and a name. */
const maxLength = 1024;

/** Returns whether a text is one mail address. */
export function isEmail(text: string): boolean {
  if (text.length > maxLength) return false;
  const bare = withoutComments(text.trim());
  if (bare === undefined) return false;
  const named = /^(.*?)<([^<>]*)>$/su.exec(bare.trim());
  if (named === null) return isAddress(bare.trim());
  return isPhrase((named[1] ?? '').trim()) && isAddress((named[2] ?? '').trim());
}

/** Removes comments in parentheses outside quotes. Returns `undefined` if a comment is not closed. */
function withoutComments(text: string): string | undefined {
  let kept = '';
  let depth = 0;
  let inQuotes = false;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') {
      if (depth === 0) kept += text.slice(i, i + 2);
      i++;
      continue;
    }
    if (char === '"' && depth === 0) inQuotes = !inQuotes;
    if (!inQuotes && char === '(') depth++;
    if (depth === 0) kept += char;
    if (!inQuotes && char === ')' && depth-- === 0) return undefined;
  }
  return depth === 0 ? kept : undefined;
}

function isAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  return (dotAtom.test(local) || quoted.test(local)) && dotAtom.test(domain);
}

/**
 * Returns whether a text can be the name before an address in angle brackets: words and quoted texts, or an empty text.
 */
function isPhrase(text: string): boolean {
  phraseWord.lastIndex = 0;
  while (phraseWord.lastIndex < text.length) if (!phraseWord.test(text)) return false;
  return true;
}
