/** Decodes YAML bodies by the YAML 1.1 rules of the API. Reports repeated keys and limits aliases. */
import { isUtf8 } from 'node:buffer';
import { type Decoded, decodeJson } from '../json.js';
import { readText } from '../unicode.js';
import { parseDocument } from './events.js';
import { YamlReader } from './reader.js';
import { YamlProblem } from './scalars.js';
import type { YamlBounds } from './scan.js';

const openBrace = 0x7b;
/**
 * Texts that JSON allows but YAML does not: a control character, and escapes of a slash or of half a surrogate pair.
 */
const notInYaml: readonly (string | number)[] = [0x7f, '\\/', '\\ud', '\\uD'];

/** Large enough for manifests that people write, far below the limit of the parser's stack, and read within seconds. */
const bounds: YamlBounds = { depth: 500, tokens: 500_000 };
const nothing: readonly never[] = [];

/**
 * Decodes the first document of a body; an empty one is null. Sorts keys, as API servers do when they convert to JSON.
 * Reads scalars by YAML 1.1 (`yes` is true, `017` is 15). Dates stay texts; keys that are numbers or booleans become
 * texts. The last of repeated keys wins. Takes time and memory linear in the body.
 */
export function decodeYaml(body: Uint8Array | string): Decoded {
  const bytes =
    typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const plain = decodePlainJson(bytes);
  if (plain !== undefined) return plain;
  const read = readText(bytes);
  if (!read.ok) return refused(`yaml: ${read.problem}`);
  const { text } = read;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern searches for these characters.
  const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.exec(text);
  if (control !== null) return refused('yaml: control characters are not allowed', control.index);
  return readDocument(text);
}

/**
 * Decodes JSON. Most clients send JSON as YAML, and JSON takes a tenth of the time. Returns `undefined` for other
 * texts, and for JSON that YAML reads differently: repeated keys, whole numbers with a point, and escapes that YAML
 * does not have.
 */
function decodePlainJson(bytes: Buffer): Decoded | undefined {
  if (bytes[0] !== openBrace || !isUtf8(bytes) || notInYaml.some((part) => bytes.includes(part))) return undefined;
  const decoded = decodeJson(bytes);
  if (!decoded.ok || decoded.duplicates.length > 0 || decoded.decimals.length > 0) return undefined;
  return { ...decoded, syntax: 'yaml' };
}

function readDocument(text: string): Decoded {
  const parsed = parseDocument(text, bounds);
  if (!parsed.ok) return refused(`yaml: ${parsed.problem}`, parsed.offset);
  try {
    const reader = new YamlReader(parsed, bounds.depth);
    const value = reader.readDocument();
    const { duplicates, remarks } = reader;
    return { ok: true, syntax: 'yaml', value, duplicates, remarks, decimals: nothing };
  } catch (problem) {
    if (problem instanceof YamlProblem) return refused(`yaml: ${problem.message}`);
    throw problem;
  }
}

function refused(problem: string, offset = 0): Decoded {
  return { ok: false, syntax: 'yaml', problem, offset };
}
