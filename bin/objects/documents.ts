/** Reads files of objects: YAML or JSON, several documents in a file, lists, folders of files, or standard input. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { text as readStream } from 'node:stream/consumers';
import { load, YAMLException } from 'js-yaml';
import { stringifyJson } from '../../client/index.js';
import { textOf } from '../../runtime/objects/guards.js';
import { Refusal } from './failure.js';
import { fieldsOf, identityOf, listOf } from './printing.js';

/** An object of a file. */
export interface SourceDocument {
  /** File and line, as in `shop/door.yaml:12`. */
  readonly place: string;
  readonly apiVersion: string;
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
  /** The text in YAML or JSON, unchanged: numbers of any size keep all digits. */
  readonly body: string;
}

/**
 * Reads the objects. `-` is standard input. Throws a `Refusal` that names file and line if a document cannot be read,
 * or is not an object.
 */
export async function readDocuments(files: readonly string[]): Promise<SourceDocument[]> {
  const documents: SourceDocument[] = [];
  for (const file of files) {
    if (file === '-') documents.push(...documentsOf(standardInput, await readStream(process.stdin)));
    else for (const path of pathsOf(file)) documents.push(...documentsOf(path, readText(path)));
  }
  if (documents.length > 0) return documents;
  const places = files.map((file) => (file === '-' ? standardInput : file));
  throw new Refusal(
    `no objects in ${places.join(', ')}`,
    files.every((file) => file === '-')
      ? 'Send objects in YAML or JSON there'
      : 'Files must end in .yaml, .yml or .json; the command also reads subfolders',
  );
}

const standardInput = 'standard input';

function pathsOf(file: string): readonly string[] {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new Refusal(`-f ${file} is not there`, `The path is relative to ${process.cwd()}`);
  if (!found.isDirectory()) return [file];
  return readdirSync(file, { recursive: true, encoding: 'utf8' })
    .filter((name) => ['.yaml', '.yml', '.json'].includes(extname(name)))
    .sort()
    .map((name) => join(file, name));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Refusal(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Splits a text into documents. Each line of dashes begins a document, because it cannot occur within one. */
function documentsOf(file: string, text: string): readonly SourceDocument[] {
  let line = 1;
  return text.split(/^---(?:[ \t].*)?\r?$\n?/m).flatMap((body, i) => {
    if (i > 0) line++;
    const first = line + leadingLines(body);
    const value = parse(file, line, body);
    line += body.split('\n').length - 1;
    return value === undefined || value === null ? [] : objectsOf(`${file}:${first}`, value, body);
  });
}

/**
 * Counts the empty lines and comments at the start of a document. Returns a negative number if there is nothing else.
 */
const leadingLines = (body: string): number => body.split('\n').findIndex((line) => /^\s*[^\s#]/.test(line));

function parse(file: string, before: number, body: string): unknown {
  try {
    return leadingLines(body) < 0 ? undefined : load(body);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const place = error.mark ? `:${before + error.mark.line}:${error.mark.column + 1}` : '';
    throw new Refusal(`${file}${place}: ${error.reason}`, 'Write valid YAML or JSON there');
  }
}

function objectsOf(place: string, value: unknown, body: string): readonly SourceDocument[] {
  const { apiVersion, kind, items, metadata } = fieldsOf(value);
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    return listOf(items).flatMap((item) => objectsOf(place, item, stringifyJson(item)));
  }
  const missing = [
    ...(textOf(apiVersion) === '' ? ['apiVersion'] : []),
    ...(textOf(kind) === '' ? ['kind'] : []),
    ...(identityOf(value).name === '' ? ['metadata.name'] : []),
  ];
  if (missing.length > 0) {
    throw new Refusal(`${place}: an object needs ${missing.join(', ')}`, 'Every object begins with these');
  }
  const [version = '', group = ''] = textOf(apiVersion).split('/').reverse();
  const namespace = textOf(fieldsOf(metadata).namespace);
  const { name } = identityOf(value);
  return [
    {
      place,
      apiVersion: textOf(apiVersion),
      group,
      version,
      kind: textOf(kind),
      name,
      body,
      ...(namespace === '' ? {} : { namespace }),
    },
  ];
}
