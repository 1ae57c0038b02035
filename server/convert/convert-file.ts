/** Converts the objects of a file, and prints them as one text. */
import { defineConverter } from '../../runtime/server/index.js';
import { builtinKinds } from '../builtin-kinds.js';
import { namingIn } from '../check-options.js';
import { withDefinitions } from '../load-definitions.js';
import type { StartOptions } from '../options.js';
import { convertDocuments } from './convert-documents.js';
import { printObjects } from './print-objects.js';
import { readDocuments } from './read-documents.js';

export interface ConvertOptions extends Pick<StartOptions, 'naming' | 'schemas'> {
  /** How messages call the file. */
  readonly name: string;
  readonly bytes: Uint8Array;
  /** As in `networking.platform.io/v1`; the preferred version of each kind where absent. */
  readonly apiVersion?: string | undefined;
  readonly format: 'yaml' | 'json';
}

/** The text of all objects, or every mistake; no object is printed then. */
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
