/** Reads the text of OpenAPI documents or objects, as JSON or YAML, with limits on size and depth. */
import type { JsonValue } from '../../runtime/contract/index.js';
import { lineCounter } from '../../runtime/objects/lines.js';
import { decodeText, type TextProblem } from '../load/decode-text.js';
import { parseYaml } from '../load/parse-yaml.js';

/** Maximum size of a document, in bytes. A cluster with hundreds of custom resources has a document of about 20 MiB. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

/** Maximum number of mistakes that are reported for a text. */
const MAX_PROBLEMS = 20;

/** The documents of a text, at least one; or its mistakes, one per line. */
export type ParsedDocument =
  | { readonly values: readonly JsonValue[]; readonly problems?: undefined }
  | { readonly problems: readonly string[] };

/** Reads bytes. Mistakes are reported under `name`, as `name:line:column message`. */
export function parseDocument(bytes: Uint8Array, name: string): ParsedDocument {
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    const limit = MAX_DOCUMENT_BYTES / 1024 / 1024;
    return { problems: [`${name}: the document has ${bytes.length} bytes; at most ${limit} MiB are read`] };
  }
  const { text, problem } = decodeText(bytes);
  if (problem !== undefined) return { problems: print([problem], text, name) };
  const { documents, problems } = parseYaml(text);
  const wrong = problems.filter(({ code }) => !HARMLESS.has(code));
  if (wrong.length > 0) return { problems: print(wrong, text, name) };
  const values = documents.filter((value) => value !== undefined && value !== null);
  return values.length > 0 ? { values } : { problems: [`${name}: the document is empty`] };
}

/** The code of scalars that other readers of YAML may read differently, but not this one. */
const HARMLESS: ReadonlySet<string> = new Set(['KF1007', 'KF1008', 'KF1011']);

function print(problems: readonly TextProblem[], text: string, name: string): readonly string[] {
  const place = lineCounter(text);
  return problems.slice(0, MAX_PROBLEMS).map(({ offset, message }) => {
    const { line, column } = place(offset);
    return `${name}:${line}:${column} ${message}`;
  });
}
