/** Words the problems of text that is not YAML, as clients know them. */
import type { YAMLException } from 'js-yaml';
import { withoutTrailing } from '../../objects/scan/numbers.js';

/** A mistake, and its offset in the text. */
export interface YamlError {
  readonly problem: string;
  readonly offset: number;
}

/** The words for a problem. Problems of characters count lines from 1; problems of structure count from 0. */
interface Meaning {
  readonly words: string;
  readonly ofCharacters: boolean;
}

/** The most characters of a message that quotes the text. */
const longestMessage = 200;

const ofCharacters = (words: string): Meaning => ({ words, ofCharacters: true });
const ofStructure = (words: string): Meaning => ({ words, ofCharacters: false });

/** The message for a backslash before an unknown letter. */
export const badEscape = 'found unknown escape character';
const noToken = ofCharacters('found character that cannot start any token');
const noContent = ofStructure('did not find expected node content');
const noKey = ofStructure('did not find expected key');
/** The message for an invalid anchor name. */
export const badName = 'did not find expected alphabetic or numeric character';
const noLineEnd = ofCharacters('did not find expected comment or line break');

/** Reasons of the parser that mean the same at every place, by their beginnings. */
const plainReasons: readonly (readonly [RegExp, Meaning])[] = [
  [/^unexpected end of the stream within a (?:single|double)/, ofCharacters('found unexpected end of stream')],
  [/^unexpected end of the stream within a verbatim/, ofCharacters("did not find the expected '>'")],
  [/^unknown escape/, ofCharacters(badEscape)],
  [/^expected hexadecimal/, ofCharacters('did not find expected hexdecimal number')],
  [/^(?:can not read a block mapping entry|expected ':')/, ofCharacters("could not find expected ':'")],
  [/^tab characters/, noToken],
  [/^name of an (?:alias|anchor)/, ofCharacters(badName)],
  [/^(?:a line break|repeat of)/, noLineEnd],
  [/^bad explicit/, ofCharacters('found an indentation indicator equal to 0')],
  [/^undeclared tag/, ofStructure('found undefined tag handle')],
  [/^directives end/, ofStructure('did not find expected <document start>')],
  [/^a whitespace/, noKey],
  [/^expected the node/, noContent],
  [/^the stream contains/, ofCharacters('control characters are not allowed')],
];

/** Returns the message for the error that ended the parsing of a text. */
export function describeYamlError({ reason, mark }: YAMLException, text: string): YamlError {
  const offset = mark?.position ?? 0;
  if (reason.includes('YAML version')) return describeVersion(text);
  if (reason.includes('maxDepth')) return { problem: 'exceeded max depth', offset };
  const at = nextWord(text, offset);
  const plain = plainReasons.find(([start]) => start.test(reason));
  const { words, ofCharacters } = plain?.[1] ?? meaningOf(reason, text, at);
  const line = lineAt(text, at, ofCharacters);
  return { problem: line === 0 ? words : `line ${line}: ${words}`, offset };
}

/** Returns the message for a document of another version than YAML 1.1. */
export function describeVersion(text: string): YamlError {
  const offset = Math.max(0, text.indexOf('%YAML'));
  const line = lineAt(text, offset, false);
  return { problem: `${line === 0 ? '' : `line ${line}: `}found incompatible YAML document`, offset };
}

/** Returns the message for a tag that ends at an offset without a blank. */
export function describeOpenTag(text: string, offset: number): YamlError {
  return { problem: describeCharacters('did not find expected whitespace or line break', text, offset), offset };
}

/** Returns the message for a mistake of characters at an offset. */
export function describeCharacters(words: string, text: string, offset: number): string {
  const line = lineAt(text, offset, true);
  return line === 0 ? words : `line ${line}: ${words}`;
}

/** Returns the start of the next word or indicator. */
function nextWord(text: string, offset: number): number {
  let at = offset;
  for (;;) {
    while (/\s/.test(text.charAt(at))) at++;
    if (text.charAt(at) !== '#' || !/\s/.test(text.charAt(at - 1))) return at;
    while (/[^\r\n]/.test(text.charAt(at))) at++;
  }
}

/** Returns the line to print; 0, which means no line, if the problem is in the first line. */
function lineAt(text: string, at: number, ofCharacters: boolean): number {
  const lines = text.slice(0, at).split(/\r\n|\r|\n/);
  const index = lines.length - 1;
  if (ofCharacters) return index === 0 ? 0 : index + 1;
  // Problems of structure count the end of a text as a separate line.
  return at >= text.length && lines.at(-1) !== '' ? index + 1 : index;
}

/** Returns the meaning of unexpected text at an offset. */
function meaningOf(reason: string, text: string, at: number): Meaning {
  const before = text.slice(Math.max(0, at - longestMessage), at);
  const [next = ''] = /^[-?:](?=\s|$)|^./s.exec(text.slice(at, at + 2)) ?? [];
  if (/^[@`%]/.test(next)) return noToken;
  if (/flow collection/.test(reason)) return inBrackets(text, at, before);
  if (/(?:^|[\r\n]) *\t[^\r\n]*$/.test(before)) return noToken;
  if (/^:/.test(next) && isIndicator(text, at)) return ofCharacters('mapping values are not allowed in this context');
  if (/^[-?]/.test(next) && isIndicator(text, at) && isAfterProperty(before)) return misplaced(next);
  if (/^[\]},]/.test(next) && /(?:^|[?:-])\s*$/.test(before)) return noContent;
  if (reason.startsWith('bad indentation of a sequence')) return ofStructure("did not find expected '-' indicator");
  if (/^(?:bad indentation|end of the stream)/.test(reason)) return noKey;
  return ofStructure(reason.slice(0, longestMessage));
}

function isIndicator(text: string, at: number): boolean {
  return /^[-?:](?:\s|$)/.test(text.slice(at, at + 2));
}

/**
 * Returns whether a text is all blanks, or ends in blanks after a colon, the start of the document, a tag or an anchor.
 */
function isAfterProperty(before: string): boolean {
  const text = withoutTrailing(before, ' \t');
  const word = text.split(/\s/).at(-1) ?? '';
  return text !== before && (text === '' || text.endsWith(':') || text.endsWith('---') || /[&!]/.test(word));
}

function misplaced(indicator: string): Meaning {
  const what = indicator === '-' ? 'block sequence entries' : 'mapping keys';
  return ofCharacters(`${what} are not allowed in this context`);
}

/**
 * Returns the meaning inside brackets. After an indicator, a value is missing; otherwise a comma or the closing
 * bracket.
 */
function inBrackets(text: string, at: number, before: string): Meaning {
  if (/[[{,:]\s*$/.test(before)) return noContent;
  return ofStructure(`did not find expected ',' or '${openBracket(text, at) === '[' ? ']' : '}'}'`);
}

/** Returns the bracket that is open at an offset. */
function openBracket(text: string, at: number): string {
  let closed = 0;
  for (let i = at - 1; i >= 0; i--) {
    const char = text.charAt(i);
    if (char === ']' || char === '}') closed++;
    else if ((char === '[' || char === '{') && closed-- === 0) return char;
  }
  return '[';
}
