/** The attributes of a request that are authorized: a verb on a resource, or a method on another path. */
import type { AccessAttributes, UserInfo } from '../contract/index.js';
import { pathSegment } from '../objects/names/names.js';
import { exactValue, parseFieldSelector } from '../objects/selectors/field-selectors.js';
import { parseLabelSelector } from '../objects/selectors/labels.js';
import { isNamespaceSubresource, type RequestPath } from '../registry/route.js';
import type { ApiRequest } from '../request/api-request.js';
import { type Query, queryOf } from '../request/query.js';

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
 * Reads the attributes off method, decoded path and query. Whether anything is served there plays no part, as
 * a user who may not ask is not told.
 */
export function attributesOf(request: ApiRequest, path: RequestPath, user: UserInfo): AccessAttributes {
  const place = placeOf(path.parts);
  if (!place) return { user, verb: request.method.toLowerCase(), path: path.text };
  const { group, version, namespace, resource, subresource } = place;
  const { verb, name } = verbAndName(request, place);
  return { user, verb, group, version, namespace, resource, name, subresource };
}

function verbAndName({ method, search }: ApiRequest, { name, watch }: Place): Asked {
  const verb = watch ? 'watch' : (verbs[method] ?? '');
  if (name !== '') return { verb, name };
  if (verb === 'delete') return { verb: 'deletecollection', name };
  return verb === 'get' ? readCollection(search) : { verb, name };
}

/** The verb of a request, and the object that it asks for; empty for a collection. */
interface Asked {
  readonly verb: string;
  readonly name: string;
}

/** The resource and object that a path names; the deprecated `/watch/` names the verb, too. */
interface Place {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  readonly watch: boolean;
}

/** `undefined` for all paths that go on to no resource. What follows a subresource is for whoever is behind it. */
function placeOf(parts: readonly string[]): Place | undefined {
  const isGrouped = parts[1] === 'apis';
  if (parts[0] !== '' || !(isGrouped || parts[1] === 'api')) return undefined;
  let at = isGrouped ? 4 : 3;
  if (parts.length <= at) return undefined;
  const group = isGrouped ? (parts[2] ?? '') : '';
  const version = parts[at - 1] ?? '';
  const watch = parts[at] === 'watch' && parts.length > at + 1;
  if (watch) at++;
  let namespace = '';
  if (parts[at] === 'namespaces') {
    namespace = parts[at + 1] ?? '';
    const next = parts[at + 2];
    if (next !== undefined && !isNamespaceSubresource(next)) at += 2;
  }
  return {
    group,
    version,
    namespace,
    resource: parts[at] ?? '',
    name: parts[at + 1] ?? '',
    subresource: parts[at + 2] ?? '',
    watch,
  };
}

const plainList: Asked = { verb: 'list', name: '' };

/** The verb and name that queries of collections ask for, found once for each. */
const askedBy = new WeakMap<Query, Asked>();

/** The verb and name of a read of a collection. A selector of one name asks for no more than that object. */
function readCollection(search: string): Asked {
  if (search === '') return plainList;
  const query = queryOf(search);
  const known = askedBy.get(query);
  if (known) return known;
  const verb = (query.boolean('watch') ?? false) ? 'watch' : 'list';
  const asked = { verb, name: (isReadable(query) ? selectedName(query.text('fieldSelector')) : undefined) ?? '' };
  askedBy.set(query, asked);
  return asked;
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
