/** Says what is wrong with text that is not YAML, in the words that clients know. */
import type { LineCounter, YAMLError } from 'yaml';

/** The meaning of a code of the parser. Problems of characters count lines from 1, those of structure from 0. */
interface Meaning {
  readonly words: string;
  readonly ofCharacters: boolean;
}

/** Messages that quote the text are cut to this many characters. */
const longestMessage = 200;

/** The message for the first error of a document. */
export function describeYamlError(error: YAMLError, text: string, lines: LineCounter): string {
  const [at] = error.pos;
  const { words, ofCharacters } = meaningOf(error, text.slice(0, at));
  const atEnd = text.slice(at).trim() === '' || at + 1 >= text.length;
  const index = Math.max(0, lines.linePos(at).line - 1);
  const line = ofCharacters ? (index === 0 ? 0 : index + 1) : atEnd ? index + 1 : index;
  return line === 0 ? `yaml: ${words}` : `yaml: line ${line}: ${words}`;
}

function meaningOf({ code, message }: YAMLError, before: string): Meaning {
  switch (code) {
    case 'BLOCK_AS_IMPLICIT_KEY':
      return { words: 'mapping values are not allowed in this context', ofCharacters: true };
    case 'TAB_AS_INDENT':
    case 'BAD_SCALAR_START':
      return { words: 'found character that cannot start any token', ofCharacters: true };
    case 'BAD_DQ_ESCAPE':
      return { words: 'found unknown escape character', ofCharacters: true };
    case 'UNEXPECTED_TOKEN':
      return { words: 'did not find expected node content', ofCharacters: false };
    default:
      return structural(message, before);
  }
}

function structural(message: string, before: string): Meaning {
  if (/closing ["'`]/.test(message)) return { words: 'found unexpected end of stream', ofCharacters: true };
  const expected = (what: string): Meaning => ({ words: `did not find expected ${what}`, ofCharacters: false });
  if (/Flow/.test(message) && /[[{,:]\s*$/.test(before)) return expected('node content');
  if (/Flow sequence/.test(message)) return expected("',' or ']'");
  if (/Flow map/.test(message)) return expected("',' or '}'");
  if (/mapping items|Implicit (map )?keys/.test(message)) return expected('key');
  if (/sequence items/.test(message)) return expected("'-' indicator");
  const words = message.slice(0, longestMessage).replace(/^./, (first) => first.toLowerCase());
  return { words, ofCharacters: false };
}
