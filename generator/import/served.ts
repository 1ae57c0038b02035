/** Finds the resources of a document by its paths, and the verbs of each. */
import type { Verb } from '../../runtime/contract/index.js';
import { dns1035Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { get, isObject, list, type Raw, string } from '../../runtime/schema/read.js';
import type { Path } from '../diagnostics/problem.js';
import { VERBS } from '../model/subresources.js';
import { type ApiDocument, idOf } from './document.js';
import { isPathName } from './imported-file.js';
import type { Remarks } from './remarks.js';

/** A resource in one version, as operations show it. */
export interface ServedResource {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** The path of the first operation, for remarks. */
  readonly path: Path;
  kind: string;
  namespaced: boolean;
  readonly verbs: Set<Verb>;
  /** Whether lists have the parameter for watches. */
  takesWatch: boolean;
  /** The definition of the objects, by their answers. */
  objectId?: string;
  /** The definition of the lists. */
  listId?: string;
  /** The definition of the answer to a finished delete. */
  deletedId?: string;
  readonly subresources: Map<string, ServedSubresource>;
}

/** A path below an object. */
export interface ServedSubresource {
  readonly path: Path;
  readonly verbs: Set<Verb>;
  /** The kind that it accepts, if operations name one. */
  kind: string;
  /** Whether it opens a connection, instead of handling an object. */
  connects: boolean;
}

/** One method of a path. */
interface Operation {
  readonly route: Route;
  readonly method: string;
  readonly raw: Raw;
  readonly path: Path;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'] as const;

/**
 * Returns resources by group, version and plural, in the order of the document; only those in `groups` if it is given.
 */
export function readServed(
  document: ApiDocument,
  remarks: Remarks,
  groups?: readonly string[],
): readonly ServedResource[] {
  const served = new Map<string, ServedResource>();
  for (const operation of operationsOf(document)) {
    const { group, version, plural, subresource } = operation.route;
    if (groups?.includes(group) === false) continue;
    const key = `${group}/${version}/${plural}`;
    const resource = served.get(key) ?? created(operation);
    served.set(key, resource);
    if (subresource === undefined) addVerb(resource, operation, document);
    else addSubresource(resource, subresource, operation);
  }
  addWatch([...served.values()]);
  const known = [...served.values()].filter((resource) => {
    const why = problemOf(resource);
    if (why === undefined && isVirtual(resource)) {
      const message = 'objects of this resource can only be created: they are not stored, and a handler must answer';
      remarks({ severity: 'note', path: resource.path, message });
    }
    if (why === undefined) return true;
    remarks({ severity: 'note', path: resource.path, message: `the resource is left out: ${why}` });
    return false;
  });
  if (known.length === 0 && groups === undefined) {
    const message = 'no path belongs to a resource: such paths have the form /apis/<group>/<version>/<resource>';
    remarks({ severity: 'error', path: ['paths'], message });
  }
  return known;
}

/** Returns whether a resource only takes requests: a created object can never be read. */
export const isVirtual = ({ verbs }: ServedResource): boolean => verbs.size === 1 && verbs.has('create');

/**
 * Adds the verb for watches. Built-in kinds have paths below `/watch/`, and the parameter of their lists means nothing.
 * Custom kinds only have the parameter.
 */
function addWatch(served: readonly ServedResource[]): void {
  const groupVersionOf = ({ group, version }: ServedResource): string => `${group}/${version}`;
  const withPaths = new Set(served.filter(({ verbs }) => verbs.has('watch')).map(groupVersionOf));
  for (const resource of served) {
    if (resource.takesWatch && !withPaths.has(groupVersionOf(resource))) resource.verbs.add('watch');
  }
}

function problemOf({ group, version, plural, kind }: ServedResource): string | undefined {
  const groupName = group || 'core';
  const isGroup = isPathName(groupName) && dns1123Subdomain(groupName).length === 0;
  const labels = [version, plural, kind.toLowerCase() || plural];
  const misnamed = isGroup ? labels.find((name) => dns1035Label(name).length > 0) : groupName;
  if (misnamed !== undefined) return `${JSON.stringify(misnamed)} is not a DNS name`;
  if (kind !== '') return undefined;
  return 'none of its operations has `x-kubernetes-group-version-kind`, so its kind is unknown';
}

function* operationsOf({ paths }: ApiDocument): Generator<Operation> {
  for (const [text, { raw, path }] of paths) {
    const route = parseRoute(text);
    if (route === undefined) continue;
    for (const method of METHODS) {
      const operation = get(raw, method);
      if (isObject(operation)) yield { route, method, raw: operation, path: [...path, method] };
    }
  }
}

function created({ route: { group, version, plural }, path }: Operation): ServedResource {
  const empty = { kind: '', namespaced: false, takesWatch: false, verbs: new Set<Verb>(), subresources: new Map() };
  return { group, version, plural, path, ...empty };
}

const gvkOf = (raw: Raw): Raw => get(raw, 'x-kubernetes-group-version-kind');
const actionOf = (raw: Raw): string => string(get(raw, 'x-kubernetes-action')) ?? '';

function addVerb(resource: ServedResource, operation: Operation, document: ApiDocument): void {
  const { route, raw } = operation;
  resource.namespaced ||= route.namespaced;
  resource.kind ||= string(get(gvkOf(raw), 'kind')) ?? '';
  const verb = verbOf(operation);
  if (verb === undefined) return;
  resource.verbs.add(verb);
  const answer = answerOf(raw);
  if (OBJECTS.has(verb) && answer !== undefined) resource.objectId ??= answer;
  if (verb === 'list' && answer !== undefined) resource.listId ??= answer;
  if (verb === 'delete' && answer !== undefined) resource.deletedId ??= answer;
  if (verb === 'list') resource.takesWatch ||= takesWatch(raw, document);
}

const SINGLE: Readonly<Record<string, Verb>> = {
  get: 'get',
  put: 'update',
  patch: 'patch',
  post: 'create',
  delete: 'delete',
};
const COLLECTION: Readonly<Record<string, Verb>> = { get: 'list', post: 'create', delete: 'deletecollection' };

/** Verbs that return the object. */
const OBJECTS: ReadonlySet<Verb> = new Set<Verb>(['get', 'create', 'update', 'patch']);

function verbOf({ route, method }: Operation): Verb | undefined {
  if (route.watch) return method === 'get' ? 'watch' : undefined;
  return (route.single ? SINGLE : COLLECTION)[method];
}

/** Returns the definition of a successful answer. */
function answerOf(raw: Raw): string | undefined {
  const answer = get(get(raw, 'responses'), '200');
  const content = get(answer, 'content');
  const schemas = [
    get(answer, 'schema'),
    ...(isObject(content) ? Object.values(content) : []).map((each) => get(each, 'schema')),
  ];
  const reference = schemas.map((schema) => string(get(schema, '$ref'))).find((each) => each !== undefined);
  return reference === undefined ? undefined : idOf(reference);
}

/** Returns whether a list has the parameter for watches. */
function takesWatch(raw: Raw, { parameters }: ApiDocument): boolean {
  return list(get(raw, 'parameters')).some((parameter) => {
    const shared = string(get(parameter, '$ref'));
    const named = shared === undefined ? parameter : parameters.get(shared.slice(shared.lastIndexOf('/') + 1));
    return get(named, 'name') === 'watch';
  });
}

function addSubresource(resource: ServedResource, name: string, operation: Operation): void {
  const { raw, path } = operation;
  const known = resource.subresources.get(name);
  const subresource = known ?? { path, verbs: new Set<Verb>(), kind: '', connects: false };
  resource.subresources.set(name, subresource);
  const verb = verbOf(operation);
  if (verb !== undefined) subresource.verbs.add(verb);
  subresource.kind ||= string(get(gvkOf(raw), 'kind')) ?? '';
  // The log of a container is text, read like an object.
  subresource.connects ||= actionOf(raw) === 'connect' || (verb === 'get' && answerOf(raw) === undefined);
}

/** Returns verbs in the order of definitions. */
export function inOrder(verbs: ReadonlySet<Verb>): readonly Verb[] {
  return VERBS.filter((verb) => verbs.has(verb));
}

// Reads the path of an operation: group, version, resource and subresource, and whether objects have a namespace.

/** A path below `/api` or `/apis` that leads to a resource. */
interface Route {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  /** Whether the path contains a namespace. */
  readonly namespaced: boolean;
  /** Whether it ends at one object, or below one. */
  readonly single: boolean;
  /** As in `status`; paths below a subresource, such as `proxy/{path}`, are part of it. */
  readonly subresource?: string;
  /** Whether it is below `/watch/`. */
  readonly watch: boolean;
}

/** Parses a path; undefined if it does not belong to a resource, such as discovery and version. */
export function parseRoute(path: string): Route | undefined {
  const [root, ...rest] = path.split('/').filter((part) => part !== '');
  const [group, version, parts] =
    root === 'api' ? ['', rest[0], rest.slice(1)] : root === 'apis' ? [rest[0], rest[1], rest.slice(2)] : [];
  if (group === undefined || version === undefined || parts === undefined) return undefined;
  if ([group, version].some(isVariable)) return undefined;
  const watch = parts[0] === 'watch';
  const below = watch ? parts.slice(1) : parts;
  const namespaced = below[0] === 'namespaces' && below[1] === '{namespace}' && below.length > 2;
  const [plural, name, subresource] = namespaced ? below.slice(2) : below;
  if (plural === undefined || isVariable(plural) || (name !== undefined && !isVariable(name))) return undefined;
  if (subresource !== undefined && isVariable(subresource)) return undefined;
  const route = { group, version, plural, namespaced, single: name !== undefined, watch };
  return subresource === undefined ? route : { ...route, subresource };
}

const isVariable = (part: string): boolean => part.startsWith('{');
