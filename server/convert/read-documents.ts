/** Reads the documents of a file of objects, with the place of whatever cannot be read. */
import { decodeText } from '../../generator/load/decode-text.js';
import { parseYaml } from '../../generator/load/parse-yaml.js';
import type { JsonValue } from '../../runtime/contract/index.js';
import { lineCounter } from '../../runtime/objects/lines.js';

/** Bytes of a file; more is no file of objects. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The documents, empty ones left out, or every mistake as `<file>:<line>:<column> <message>`. */
export type ReadDocuments =
  | { readonly ok: true; readonly documents: readonly JsonValue[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads YAML, and so JSON. Values may be shared where the text uses aliases. */
export function readDocuments(file: string, bytes: Uint8Array): ReadDocuments {
  if (bytes.length > MAX_BYTES) {
    return { ok: false, problems: [`${file} has ${bytes.length} bytes; at most ${MAX_BYTES} are read`] };
  }
  const { text, problem } = decodeText(bytes);
  const read = problem ? { documents: [], problems: [problem] } : parseYaml(text);
  const placeOf = lineCounter(text);
  const problems = read.problems
    .filter(({ code }) => code !== 'KF1011')
    .map(({ offset, message }) => {
      const { line, column } = placeOf(offset);
      return `${file}:${line}:${column} ${message}`;
    });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, documents: read.documents.filter((each) => each !== undefined && each !== null) };
}
