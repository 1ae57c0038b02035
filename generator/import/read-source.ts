/** Reads the source of `kindforge import openapi`: a file, a document at a URL, or all documents of a server. */

import { readFileSync, statSync } from 'node:fs';
import { type FetchTransportOptions, fetchTransport, type Transport } from '../../client/index.js';
import type { JsonValue } from '../../runtime/contract/index.js';
import { getOwn, isObject, isString } from '../../runtime/objects/index.js';
import { withoutTrailing } from '../../runtime/objects/scan/numbers.js';
import type { Progress } from '../diagnostics/progress.js';
import { type DiscoveredNames, MAX_DOCUMENT_BYTES, nothingDiscovered, parseDocument, readDiscovery } from './index.js';
import { RequestError, requestDocument } from './request-json.js';

/** The documents of a source, and the names that discovery adds. */
export interface Source {
  readonly documents: readonly JsonValue[];
  readonly discovered: DiscoveredNames;
}

/** A document that cannot be read, with one line per mistake. */
export class DocumentError extends Error {}

export interface Reading {
  readonly progress: Progress;
  /** The needed groups; servers are asked for no others. The core group is empty. Default: all. */
  readonly groups?: readonly string[] | undefined;
}

/** Reads a source. Throws a `DocumentError`, a `RequestError`, or an error of reading a file. */
export async function readSource(source: string, reading: Reading): Promise<Source> {
  if (!/^https?:\/\//i.test(source)) return { documents: readFile(source), discovered: nothingDiscovered };
  if (!URL.canParse(source)) throw new RequestError(`${source} is not a URL; use the form http://127.0.0.1:8080`);
  const url = new URL(source);
  const path = withoutTrailing(url.pathname, '/');
  const place = path.search(/\/openapi(\/|$)/);
  const base = url.origin + path.slice(0, Math.max(place, 0));
  const named = path.slice(Math.max(place, 0));
  return readServer({ baseUrl: base }, named === '' ? '' : named + url.search, reading);
}

/** Reads the documents at a path of a server, or all documents if the path is empty. Throws the same errors. */
export async function readServer(connection: FetchTransportOptions, path: string, reading: Reading): Promise<Source> {
  const server = serverAt(connection);
  const isNamed = path !== '' && path !== '/openapi';
  if (isNamed && !path.startsWith('/openapi/')) {
    return { documents: [await server.read(path)], discovered: nothingDiscovered };
  }
  const documents = await readDocuments(server, isNamed ? path : '', reading);
  return { documents, discovered: await discover(server, reading) };
}

function readFile(path: string): readonly JsonValue[] {
  const found = statSync(path);
  if (found.isDirectory()) throw new Error(`${path} is a folder; name a file`);
  const { size } = found;
  if (size > MAX_DOCUMENT_BYTES) {
    throw new DocumentError(
      `${path}: the file has ${size} bytes; at most ${MAX_DOCUMENT_BYTES / 1024 / 1024} MiB are read`,
    );
  }
  return parsed(readFileSync(path), path);
}

function parsed(bytes: Uint8Array, name: string): readonly JsonValue[] {
  const document = parseDocument(bytes, name);
  if (document.problems !== undefined) throw new DocumentError(document.problems.join('\n'));
  return document.values;
}

/** Returns the single document of an answer. */
function onlyOf([value, ...more]: readonly JsonValue[], name: string): JsonValue {
  if (value === undefined || more.length > 0) throw new DocumentError(`${name}: there is more than one document`);
  return value;
}

/** A server that answers requests for documents by path. */
interface Server {
  readonly read: (path: string) => Promise<JsonValue>;
}

function serverAt(connection: FetchTransportOptions): Server {
  const transport: Transport = fetchTransport(connection);
  const base = withoutTrailing(connection.baseUrl, '/');
  return {
    read: async (path) => onlyOf(parsed(await requestDocument(transport, path, base + path), base + path), base + path),
  };
}

/**
 * Reads the documents at a path of a server. Without a path, reads the documents of version 3, or of version 2 if there
 * are none.
 */
async function readDocuments(server: Server, path: string, reading: Reading): Promise<readonly JsonValue[]> {
  if (path !== '') return followed(server, await server.read(path), reading);
  try {
    return await followed(server, await server.read('/openapi/v3'), reading);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 404) throw error;
    return [await server.read('/openapi/v2')];
  }
}

/** Returns the documents of the needed groups in an index, or the document itself. */
async function followed(
  server: Server,
  value: JsonValue,
  { progress, groups }: Reading,
): Promise<readonly JsonValue[]> {
  const paths = isObject(value) && value.openapi === undefined && value.swagger === undefined ? value.paths : undefined;
  if (!isObject(paths)) return [value];
  const all = Object.entries(paths);
  const needed = all.filter(([path]) => isNeeded(path, groups));
  // If no needed group exists, reads all documents; the import then reports the missing group.
  const addresses = (needed.length > 0 ? needed : all).map(([, each]) =>
    isObject(each) ? getOwn(each, 'serverRelativeURL') : undefined,
  );
  return readAll(
    server,
    addresses.filter(isString).filter((each) => each.startsWith('/')),
    progress,
  );
}

/** Returns whether a path such as `apis/apps/v1` or `api/v1` belongs to one of the groups. */
function isNeeded(path: string, groups: readonly string[] | undefined): boolean {
  const [, group = ''] = /^\/?(?:api|apis\/([^/]+))\/[^/]+$/.exec(path) ?? [undefined, '-'];
  return groups === undefined || groups.includes(group);
}

async function readAll(server: Server, paths: readonly string[], progress: Progress): Promise<readonly JsonValue[]> {
  const documents: JsonValue[] = [];
  for (const [index, path] of paths.entries()) {
    progress.step('reading', index + 1, paths.length, path);
    documents.push(await server.read(path));
  }
  return documents;
}

/** Returns the names from discovery; none from a server without discovery, such as one of static files. */
async function discover(server: Server, { progress, groups: wanted }: Reading): Promise<DiscoveredNames> {
  try {
    const groups = await server.read('/apis');
    const core = isNeeded('api/v1', wanted) ? await server.read('/api/v1').then((each) => [each], onlyIfMissing) : [];
    const versions = groupVersions(groups)
      .map((groupVersion) => `/apis/${groupVersion}`)
      .filter((path) => isNeeded(path, wanted));
    return readDiscovery({ groups, resources: [...core, ...(await readAll(server, versions, progress))] });
  } catch (error) {
    onlyIfMissing(error);
    return nothingDiscovered;
  }
}

function onlyIfMissing(error: unknown): [] {
  if (error instanceof RequestError && error.code !== undefined) return [];
  throw error;
}

function groupVersions(groups: JsonValue): string[] {
  const all = isObject(groups) && Array.isArray(groups.groups) ? groups.groups : [];
  return all
    .flatMap((group) => (isObject(group) && Array.isArray(group.versions) ? group.versions : []))
    .map((version) => (isObject(version) ? version.groupVersion : undefined))
    .filter(isString);
}
