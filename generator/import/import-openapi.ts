/** Converts the OpenAPI documents of a server into definitions and type libraries of the native format. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { get, isObject, list, type Raw, string, strings } from '../../runtime/schema/read.js';
import { childNodes } from '../model/references.js';
import { compare } from '../write/order.js';
import { openClashes } from './clashes.js';
import { type DiscoveredNames, nothingDiscovered } from './discovery.js';
import { type ApiDocument, readDocuments, resolve } from './document.js';
import { type ImportedFile, libraryPath, resourcePath, withOwnPaths } from './imported-file.js';
import { withoutRefused } from './refused.js';
import { MAX_ERRORS, type Remark, type Remarks } from './remarks.js';
import { type KnownResource, kindsNamed, kindsOf, toResourceDefinition } from './resources.js';
import { readServed, type ServedResource } from './served.js';
import { collectTypes } from './types.js';

export interface ImportOptions {
  /** The discovery documents of the server. */
  readonly discovered?: DiscoveredNames;
  /** Imports only these groups, with the types that they use; the core group is the empty string. Default: all. */
  readonly groups?: readonly string[];
}

/** The outcome of an import. */
export interface Imported {
  /** Sorted by path; empty after errors. */
  readonly files: readonly ImportedFile[];
  /** Resources among the files. */
  readonly resources: number;
  readonly errors: readonly Remark[];
  readonly notes: readonly Remark[];
}

/**
 * Converts the documents of one server: a single one, or one per group version. Time and memory are linear in the
 * documents, even with circles among types.
 */
export function importOpenApi(documents: readonly Raw[], options: ImportOptions = {}): Imported {
  const errors: Remark[] = [];
  const notes: Remark[] = [];
  const remarks: Remarks = (remark) => {
    if (remark.severity === 'note') notes.push(remark);
    else if (errors.length < MAX_ERRORS) errors.push(remark);
  };
  const document = readDocuments(documents, remarks);
  const files = errors.length > 0 ? [] : filesOf(document, options, remarks);
  if (errors.length > 0) return { files: [], resources: 0, errors, notes: [] };
  const resources = files.filter(({ value }) => value.kind === 'ResourceDefinition').length;
  return { files: [...files].sort((a, b) => compare(a.path, b.path)), resources, errors, notes };
}

function filesOf(document: ApiDocument, options: ImportOptions, remarks: Remarks): readonly ImportedFile[] {
  const { discovered = nothingDiscovered, groups } = options;
  const served = readServed(document, remarks, groups);
  for (const group of groups ?? []) {
    if (served.some((each) => each.group === group)) continue;
    remarks({
      severity: 'error',
      path: ['paths'],
      message: `the document has resources, but not in the group ${group || 'core'}`,
    });
  }
  const known = knownOf(served, document, remarks);
  const types = collectTypes(document, [...new Set(known.map(({ id }) => id))], remarks);
  const libraries = types.libraries();
  const context = { document, types, discovered, remarks };
  const resources = [...byResource(known).values()].map((versions) => toResourceDefinition(versions, context));

  const typeNamed = (reference: string): Raw => {
    const [library = '', name = ''] = reference.split('#/');
    return libraries.get(library)?.get(name);
  };
  openClashes(resources, typeNamed, remarks);
  for (const schema of [
    ...resources.flatMap(schemasOf),
    ...[...libraries.values()].flatMap((each) => [...each.values()]),
  ]) {
    markMapKeys(schema, typeNamed);
  }
  const files = [...resources.map(resourceFile), ...[...libraries].map(([name, each]) => libraryFile(name, each))];
  return withoutRefused(withOwnPaths(files), remarks);
}

/**
 * Returns the resources with the definition of their kind: the definition with its name, or else the definition of
 * their answers.
 */
function knownOf(served: readonly ServedResource[], document: ApiDocument, remarks: Remarks): readonly KnownResource[] {
  const kinds = kindsOf(document);
  const known = served.flatMap((resource) => {
    const { group, version, kind, path, objectId = '' } = resource;
    const named = kinds.get(`${group}/${version}/${kind}`);
    const isUnnamed = kindsNamed(document.definitions.get(objectId)?.raw).length === 0;
    const id = named ?? (isUnnamed ? objectId : '');
    const definition = document.definitions.get(id);
    if (definition) {
      return [{ served: resource, id, kind: { ...definition, raw: resolve(document, definition.raw) ?? {} } }];
    }
    const message = `no definition has the \`x-kubernetes-group-version-kind\` of ${kind} in ${group || 'the core group'}/${version}`;
    remarks({ severity: 'note', path, message: `${message}; the resource is left out` });
    return [];
  });
  const [first] = served;
  if (known.length === 0 && first !== undefined) {
    const message = `nothing to import: no definition describes kind ${first.kind} or any other kind`;
    remarks({ severity: 'error', path: first.path, message });
  }
  return withOwnKinds(known, remarks);
}

/**
 * Keeps the resource with the most verbs of each kind in a group, because a kind belongs to one resource in
 * definitions.
 */
function withOwnKinds(known: readonly KnownResource[], remarks: Remarks): readonly KnownResource[] {
  const keyOf = ({ served: { group, kind } }: KnownResource): string => `${group}/${kind}`;
  const owners = new Map<string, KnownResource>();
  for (const each of known) {
    const owner = owners.get(keyOf(each));
    if (owner === undefined || each.served.verbs.size > owner.served.verbs.size) owners.set(keyOf(each), each);
  }
  return known.filter((each) => {
    const owner = owners.get(keyOf(each))?.served.plural;
    const { plural, kind, path } = each.served;
    if (owner === plural) return true;
    remarks({ severity: 'note', path, message: `the resource is left out: ${owner} are of kind ${kind} too` });
    return false;
  });
}

function byResource(known: readonly KnownResource[]): ReadonlyMap<string, readonly KnownResource[]> {
  const groups = new Map<string, KnownResource[]>();
  for (const each of known) {
    const key = `${each.served.group}/${each.served.plural}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return groups;
}

function schemasOf({ spec }: JsonObject): readonly Raw[] {
  return list(get(spec, 'versions')).map((version) => get(get(version, 'schema'), 'openAPIV3Schema'));
}

function resourceFile(value: JsonObject): ImportedFile {
  const spec = get(value, 'spec');
  const plural = string(get(get(spec, 'names'), 'plural')) ?? '';
  return { path: resourcePath(string(get(spec, 'group')) ?? '', plural), value };
}

function libraryFile(name: string, types: ReadonlyMap<string, JsonObject>): ImportedFile {
  const value = {
    apiVersion: 'kindforge.dev/v1',
    kind: 'TypeLibrary',
    metadata: { name },
    spec: { types: Object.fromEntries(types) },
  };
  return { path: libraryPath(name), value };
}

/**
 * Marks key properties that are neither required nor have a default: an absent key is the same as its zero. Changes
 * the nodes; `typeNamed` finds the shared type that a `$ref` names.
 */
function markMapKeys(node: Raw, typeNamed: (reference: string) => Raw): void {
  if (!isObject(node)) return;
  if (node['x-kubernetes-list-type'] === 'map') {
    const reference = string(get(node.items, '$ref'));
    const items = reference === undefined ? node.items : typeNamed(reference);
    for (const key of strings(node['x-kubernetes-list-map-keys'])) markKey(items, key);
  }
  for (const child of childNodes(node)) markMapKeys(child.node, typeNamed);
}

function markKey(items: Raw, key: string): void {
  const property = get(get(items, 'properties'), key);
  if (!isObject(property) || list(get(items, 'required')).includes(key) || property.default !== undefined) return;
  const presence: keyof JsonObject = 'x-kindforge-presence';
  property[presence] ??= 'implicit';
}
