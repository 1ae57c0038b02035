/** YAML bodies: decoding by the YAML 1.1 rules of the API, with repeated keys reported and aliases bounded. */
import { isUtf8 } from 'node:buffer';
import { Composer, type Document, LineCounter, Parser } from 'yaml';
import { type Decoded, decodeJson } from '../json.js';
import { quoteColons } from './colons.js';
import { describeYamlError } from './errors.js';
import { exceedsBounds, type YamlBounds } from './nesting.js';
import { indentQuotes } from './quotes.js';
import { YamlProblem, YamlReader } from './reader.js';

export { encodeYaml } from './encode.js';

const openBrace = 0x7b;
/** The one control character that JSON lets through and YAML does not. */
const deleteCode = 0x7f;

/** Generous for what people write, far from what the parser's stack holds, and read within seconds. */
const bounds: YamlBounds = { depth: 500, tokens: 500_000 };
const nothing: readonly never[] = [];

/**
 * Decodes the first document of a body; an empty one is null. Keys are sorted, as converting to JSON does. Scalars are
 * read by YAML 1.1 (`yes` is true, `017` is 15), dates stay text, keys that are numbers or booleans become text.
 * The last of repeated keys wins. Time and memory are linear in the body.
 */
export function decodeYaml(body: Uint8Array | string): Decoded {
  const bytes =
    typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (!isUtf8(bytes)) return refused('yaml: invalid leading UTF-8 octet');
  const plain = decodePlainJson(bytes);
  if (plain !== undefined) return plain;
  const text = bytes.toString('utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are what is looked for.
  const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.exec(text);
  if (control !== null) return refused('yaml: control characters are not allowed', control.index);
  const excess = exceedsBounds(text, bounds);
  return excess === undefined ? readDocument(quoteColons(text)) : refused(`yaml: ${excess.problem}`, excess.offset);
}

/**
 * Most clients send JSON as YAML, which it is, and which takes a tenth of the time to read. `undefined` for what is no
 * JSON, or reads differently as YAML: repeated keys, and whole numbers with a point.
 */
function decodePlainJson(bytes: Buffer): Decoded | undefined {
  if (bytes[0] !== openBrace || bytes.includes(deleteCode)) return undefined;
  const decoded = decodeJson(bytes, { maxDepth: bounds.depth });
  if (!decoded.ok || decoded.duplicates.length > 0 || decoded.decimals.length > 0) return undefined;
  return { ...decoded, syntax: 'yaml' };
}

function readDocument(text: string, mayMend = true): Decoded {
  const lines = new LineCounter();
  const document = firstDocument(text, lines);
  const [error] = document?.errors ?? [];
  if (error !== undefined) {
    const mended = mayMend && error.message.includes('closing') ? indentQuotes(text) : text;
    return mended === text ? refused(describeYamlError(error, text, lines), error.pos[0]) : readDocument(mended, false);
  }
  const reader = new YamlReader(lines, bounds.depth);
  try {
    const value = reader.read(document?.contents);
    const { duplicates, remarks } = reader;
    return { ok: true, syntax: 'yaml', value, duplicates, remarks, decimals: nothing };
  } catch (problem) {
    if (problem instanceof YamlProblem) return refused(`yaml: ${problem.message}`);
    throw problem;
  }
}

/** Parses up to the end of the first document; what follows is not looked at. All scalars stay text. */
function firstDocument(text: string, lines: LineCounter): Document.Parsed | undefined {
  const composer = new Composer({
    version: '1.1',
    schema: 'failsafe',
    uniqueKeys: false,
    merge: false,
    logLevel: 'silent',
  });
  const tokens = new Parser(lines.addNewLine).parse(text);
  for (const document of composer.compose(tokens, true, text.length)) return document;
  return undefined;
}

function refused(problem: string, offset = 0): Decoded {
  return { ok: false, syntax: 'yaml', problem, offset };
}
