/** Converts the objects of a file, and prints them as one text. */
import { printDefinition } from '../../generator/import/index.js';
import { decodeText } from '../../generator/load/decode-text.js';
import { parseYaml } from '../../generator/load/parse-yaml.js';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { getOwn, isArray, isObject, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { lineCounter } from '../../runtime/objects/lines.js';
import { type Convert, defineConverter, encodeJson } from '../../runtime/server/index.js';
import { builtinKinds } from '../builtin-kinds.js';
import { namingIn } from '../check-options.js';
import { withDefinitions } from '../load-definitions.js';
import type { StartOptions } from '../options.js';

export interface ConvertOptions extends Pick<StartOptions, 'naming' | 'schemas'> {
  /** The name of the file in messages. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** As in `networking.platform.io/v1`. Default: the preferred version of each kind. */
  readonly apiVersion?: string | undefined;
  readonly format: 'yaml' | 'json';
}

/** The text of all objects, or, if there are mistakes, only these. */
export type ConvertedFile =
  | { readonly ok: true; readonly text: string; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[]; readonly warnings: readonly string[] };

export async function convertFile(options: ConvertOptions): Promise<ConvertedFile> {
  const { name, bytes, apiVersion, format, schemas } = options;
  const naming = namingIn(options);
  const read = readDocuments(name, bytes);
  if (!read.ok) return { ...read, warnings: [] };
  const kinds = await withDefinitions(builtinKinds(naming), schemas);
  const converted = await convertDocuments(name, read.documents, defineConverter({ ...kinds, naming }), apiVersion);
  const { documents, problems, warnings } = converted;
  if (problems.length > 0) return { ok: false, problems, warnings };
  return { ok: true, text: printObjects(documents, format), warnings };
}

/** Prints YAML documents one after the other, and several objects in JSON as a list. */
function printObjects(objects: readonly JsonObject[], format: 'yaml' | 'json'): string {
  if (format === 'yaml') return objects.map(printDefinition).join('---\n');
  const [only] = objects;
  const items = objects.flatMap((object) =>
    isArray(object.items) && object.kind === 'List' ? object.items : [object],
  );
  const value = objects.length === 1 && only ? only : { apiVersion: 'v1', kind: 'List', items };
  return `${encodeJson(value, true)}\n`;
}

interface ConvertedDocuments {
  readonly documents: readonly JsonObject[];
  readonly problems: readonly string[];
  /** The fields that the result lacks. */
  readonly warnings: readonly string[];
}

/** Converts all documents to the given version, or to the preferred version of each kind. */
async function convertDocuments(
  file: string,
  documents: readonly JsonValue[],
  convert: Convert,
  apiVersion?: string,
): Promise<ConvertedDocuments> {
  const problems: string[] = [];
  const warnings: string[] = [];
  const one = async (value: JsonValue, place: string): Promise<JsonObject[]> => {
    if (!isObject(value)) {
      problems.push(`${file}: ${place} is not an object`);
      return [];
    }
    const converted = await convert(clone(value), apiVersion);
    const name = stringAt(objectAt(value, 'metadata'), 'name');
    const named = name === '' ? place : `${place} (${name})`;
    if (!converted.ok) {
      problems.push(`${file}: ${named}: ${converted.failure.message}`);
      return [];
    }
    for (const unknown of converted.value.unknownFields) warnings.push(`${file}: ${named}: ${unknown} is left out`);
    return [kindFirst(converted.value.object)];
  };
  const converted: JsonObject[] = [];
  for (const [index, document] of documents.entries()) {
    const place = `document ${index + 1}`;
    const items = isObject(document) ? itemsOf(document) : undefined;
    if (!items) {
      converted.push(...(await one(document, place)));
      continue;
    }
    const list: JsonObject[] = [];
    for (const [at, item] of items.entries()) list.push(...(await one(item, `${place}, items[${at}]`)));
    converted.push({ apiVersion: 'v1', kind: 'List', items: list });
  }
  return { documents: converted, problems, warnings };
}

/** Returns the items of a list of any kind. Items of a typed list may omit their kind. */
function itemsOf(document: JsonObject): readonly JsonValue[] | undefined {
  const kind = stringAt(document, 'kind');
  const items = getOwn(document, 'items');
  if (!kind.endsWith('List') || !isArray(items)) return undefined;
  if (kind === 'List') return items;
  const envelope = { apiVersion: stringAt(document, 'apiVersion'), kind: kind.slice(0, -'List'.length) };
  return items.map((item) => (isObject(item) ? { ...envelope, ...item } : item));
}

/** Sorts `apiVersion` and `kind` first, as people write it; some objects have no metadata. */
function kindFirst({ apiVersion, kind, metadata, ...rest }: JsonObject): JsonObject {
  return { apiVersion, kind, ...(metadata === undefined ? {} : { metadata }), ...rest };
}

/** The size limit of the file, bytes. No file with objects is larger. */
const MAX_BYTES = 256 * 1024 * 1024;

/** The documents without empty ones, or every mistake as `<file>:<line>:<column> <message>`. */
type ReadDocuments =
  | { readonly ok: true; readonly documents: readonly JsonValue[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads YAML or JSON. If the text uses aliases, the result may share values. */
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
