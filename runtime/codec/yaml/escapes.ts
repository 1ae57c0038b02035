/** Finds escapes in double quotes that API servers refuse and the parser reads. */
import { badEscape, describeCharacters } from './errors.js';
import { YamlProblem } from './problem.js';

/** A backslash with what it escapes; the letters `u` and `U` with the number of a character. */
const escapes = /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|([^uU]))/g;

/** Throws where a text in double quotes holds a slash that is escaped, as JSON has it, or half of a surrogate pair. */
export function checkEscapes(text: string, start: number, end: number): void {
  for (const { 1: short, 2: long, 3: char, index } of text.slice(start, end).matchAll(escapes)) {
    const code = Number.parseInt(short ?? long ?? '0', 16);
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    if (isCharacter && char !== '/') continue;
    const words = char === '/' ? badEscape : 'found invalid Unicode character escape code';
    throw new YamlProblem(describeCharacters(words, text, start + index));
  }
}
