/** What a request asks for in the terms of authorization: a verb on a resource, or a method on another path. */
import type { AccessAttributes, UserInfo } from '../contract/index.js';
import { exactValue, parseFieldSelector } from '../objects/field-selectors.js';
import { parseLabelSelector } from '../objects/labels.js';
import { pathSegment } from '../objects/names.js';
import type { ApiRequest } from '../verbs/exchange.js';
import { Query } from '../verbs/query.js';
import { isNamespaceSubresource } from './route.js';

/** Verbs of objects by method; other methods have none. */
const verbs: Readonly<Record<string, string | undefined>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/**
 * Reads the attributes off method, decoded path and query. Whether anything is served there plays no part: who may not
 * ask is not told what there is.
 */
export function attributesOf(request: ApiRequest, path: string, user: UserInfo): AccessAttributes {
  const place = placeOf(path);
  if (!place) return { user, verb: request.method.toLowerCase(), path };
  const { watch, ...asked } = place;
  const verb = watch ? 'watch' : (verbs[request.method] ?? '');
  if (asked.name !== '') return { user, verb, ...asked };
  if (verb === 'delete') return { user, ...asked, verb: 'deletecollection' };
  return verb === 'get' ? { user, ...asked, ...readCollection(request.search) } : { user, verb, ...asked };
}

/** What of a path is asked for; the deprecated `/watch/` says the verb itself. */
interface Place {
  readonly group: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  readonly watch: boolean;
}

/** `undefined` for all paths that go on to no resource. What follows a subresource is for whoever is behind it. */
function placeOf(path: string): Place | undefined {
  const isGrouped = path.startsWith('/apis/');
  if (!isGrouped && !path.startsWith('/api/')) return undefined;
  const parts = trimmed(path).split('/');
  let at = isGrouped ? 3 : 2;
  if (parts.length <= at) return undefined;
  const group = isGrouped ? (parts[1] ?? '') : '';
  const watch = parts[at] === 'watch' && parts.length > at + 1;
  if (watch) at++;
  let namespace = '';
  if (parts[at] === 'namespaces') {
    namespace = parts[at + 1] ?? '';
    const next = parts[at + 2];
    if (next !== undefined && !isNamespaceSubresource(next)) at += 2;
  }
  const [resource = '', name = '', subresource = ''] = parts.slice(at, at + 3);
  return { group, namespace, resource, name, subresource, watch };
}

/** A path without the slashes around it. */
function trimmed(path: string): string {
  let [start, end] = [0, path.length];
  while (path[start] === '/') start++;
  while (end > start && path[end - 1] === '/') end--;
  return path.slice(start, end);
}

/** The verb of a read without a name in its path. A selector of one name asks for no more than the object of that name. */
function readCollection(search: string): { readonly verb: string; readonly name?: string } {
  if (search === '') return { verb: 'list' };
  const query = new Query(search);
  const verb = (query.boolean('watch') ?? false) ? 'watch' : 'list';
  const name = isReadable(query) ? selectedName(query.text('fieldSelector')) : undefined;
  return name === undefined ? { verb } : { verb, name };
}

/** Options that cannot be read ask for nothing in particular. */
const isReadable = (query: Query): boolean =>
  query.integer('limit').ok && query.integer('timeoutSeconds').ok && parseLabelSelector(query.text('labelSelector')).ok;

function selectedName(fields: string): string | undefined {
  if (fields === '') return undefined;
  const selector = parseFieldSelector(fields);
  const name = selector.ok ? exactValue(selector.value, 'metadata.name') : undefined;
  return name !== undefined && pathSegment(name).length === 0 ? name : undefined;
}
