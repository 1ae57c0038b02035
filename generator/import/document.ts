/** Reads OpenAPI documents of either version into one form: definitions by id, and paths. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { get, isObject, object, type Raw, string, written } from '../../runtime/schema/read.js';
import type { Path } from '../diagnostics/problem.js';
import type { Remarks } from './remarks.js';

/** A part of a document with its place. */
export interface Placed {
  readonly raw: Raw;
  readonly path: Path;
}

/** One or more documents of the same server, merged. */
export interface ApiDocument {
  /** Schemas by id, as in `io.k8s.api.apps.v1.Deployment`. If several have the same id, the first is used. */
  readonly definitions: ReadonlyMap<string, Placed>;
  /** Path items by path. */
  readonly paths: ReadonlyMap<string, Placed>;
  /** Shared parameters by name. */
  readonly parameters: ReadonlyMap<string, Raw>;
}

/** Merges documents, such as the one per group version that a server has at `/openapi/v3`. */
export function readDocuments(documents: readonly Raw[], remarks: Remarks): ApiDocument {
  const definitions = new Map<string, Placed>();
  const paths = new Map<string, Placed>();
  const parameters = new Map<string, Raw>();
  for (const document of documents) {
    const home = homeOf(document, remarks);
    if (home === undefined) continue;
    collect(document, home, definitions, remarks);
    collect(document, ['paths'], paths, remarks);
    const shared = object(
      home.length === 1 ? get(document, 'parameters') : get(get(document, 'components'), 'parameters'),
    );
    for (const [name, each] of Object.entries(shared ?? {})) parameters.set(name, each);
  }
  return { definitions, paths, parameters };
}

/** Returns the path of the schemas in a document of this version. */
function homeOf(document: Raw, remarks: Remarks): readonly string[] | undefined {
  const swagger = string(get(document, 'swagger'));
  const openapi = string(get(document, 'openapi'));
  if (swagger === '2.0') return ['definitions'];
  if (openapi?.startsWith('3.0') === true) return ['components', 'schemas'];
  const [key, version] = swagger === undefined ? ['openapi', openapi] : ['swagger', swagger];
  const message =
    version === undefined
      ? 'this is not an OpenAPI document: it has neither `swagger: "2.0"` nor `openapi: "3.0.…"`'
      : `version ${JSON.stringify(version)} is not supported; use 2.0 or 3.0`;
  remarks({ severity: 'error', path: version === undefined ? [] : [key], message });
  return undefined;
}

function collect(document: Raw, place: readonly string[], into: Map<string, Placed>, remarks: Remarks): void {
  const holder = place.reduce<Raw>((raw, key) => get(raw, key), document);
  if (holder === undefined || holder === null) return;
  if (!isObject(holder)) {
    remarks({ severity: 'error', path: place, message: 'must be an object' });
    return;
  }
  for (const [name, raw] of written(holder)) {
    const path = [...place, name];
    if (!isObject(raw)) remarks({ severity: 'error', path, message: 'must be an object' });
    else if (!into.has(name)) into.set(name, { raw, path });
  }
}

const PREFIXES = ['#/definitions/', '#/components/schemas/'] as const;

/** Returns the id of the schema that a `$ref` names (RFC 6901); `undefined` for other references. */
export function idOf(reference: string): string | undefined {
  const prefix = PREFIXES.find((each) => reference.startsWith(each));
  if (prefix === undefined) return undefined;
  const id = reference.slice(prefix.length);
  return id.includes('/') ? undefined : id.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** Keys that do not change the type of a reference beside them in `allOf`. */
const REMARKS = new Set([
  'description',
  'title',
  'default',
  'example',
  'nullable',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/**
 * Returns a node in the form of both versions. OpenAPI 3.0 wraps a reference with other keys into `allOf`, or into a
 * choice of one; removes this wrapper.
 */
export function unwrap(node: JsonObject): JsonObject {
  if (node.properties !== undefined || node.items !== undefined || (node.type ?? 'object') !== 'object') return node;
  for (const key of ['allOf', 'anyOf', 'oneOf']) {
    const { [key]: wrapped, ...rest } = node;
    const parts = Array.isArray(wrapped) ? wrapped.filter(isObject) : [];
    const references = parts.filter(({ $ref }) => string($ref) !== undefined);
    if (references.length !== 1 || (key !== 'allOf' && parts.length > 1)) continue;
    const others = parts.filter((part) => !references.includes(part));
    if (others.every((part) => Object.keys(part).every((each) => REMARKS.has(each))))
      return Object.assign({}, ...others, rest, ...references);
  }
  return node;
}

/**
 * Returns the type of a field below a schema, through references: `object` without a type, `undefined` if the field
 * does not exist.
 */
export function typeOfField(document: ApiDocument, schema: Raw, path: readonly string[]): string | undefined {
  let node = resolve(document, schema);
  for (const name of path) node = resolve(document, get(get(node, 'properties'), name));
  return node === undefined ? undefined : (string(get(node, 'type')) ?? 'object');
}

/** Maximum number of references to follow one after another. Documents have one or two. */
const MAX_CHAIN = 100;

/** Returns the end of a chain of references; `undefined` if the chain is broken or endless. */
export function resolve({ definitions }: ApiDocument, raw: Raw): JsonObject | undefined {
  let node = isObject(raw) ? unwrap(raw) : undefined;
  for (let steps = 0; node !== undefined && node.$ref !== undefined; steps++) {
    const id = idOf(string(node.$ref) ?? '');
    const next = id === undefined || steps >= MAX_CHAIN ? undefined : definitions.get(id)?.raw;
    node = isObject(next) ? unwrap(next) : undefined;
  }
  return node;
}
