/** Reads what a request asks for, and asks the authorizer whether it is allowed. */
import type { AccessAttributes, AccessDecision, Authorizer, Failure, UserInfo } from '../contract/index.js';
import { pathSegment } from '../objects/names/names.js';
import { exactValue, parseFieldSelector } from '../objects/selectors/field-selectors.js';
import { parseLabelSelector } from '../objects/selectors/labels.js';
import { readSelectors, type Selectors } from '../objects/selectors/requirements.js';
import { accessDenied, internalFailure, pathDenied } from '../objects/status.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';
import { isNamespaceSubresource, type RequestPath } from '../registry/route.js';
import { type ApiRequest, type Query, queryOf } from '../request/api-request.js';

/**
 * Returns the reason for refusing a request, or `undefined` if it is allowed. `decided` receives the decision. Only
 * waits for authorizers that wait.
 */
export const refusalOf = (
  authorizer: Authorizer,
  attributes: AccessAttributes,
  decided?: (decision: AccessDecision) => void,
): MaybePromise<Failure | undefined> =>
  thenSync(authorizer.decide(attributes), (decision) => {
    decided?.(decision);
    return toRefusal(attributes, decision);
  });

/** Returns why a decision refuses. An authorizer's error is a 500, because a 403 would mean that a retry is useless. */
export function toRefusal(
  attributes: AccessAttributes,
  { decision, reason, evaluationError }: AccessDecision,
): Failure | undefined {
  if (decision === 'allow') return undefined;
  if (evaluationError !== undefined) return internalFailure(evaluationError);
  if ('path' in attributes) return pathDenied(attributes.user.name, attributes.verb, attributes.path, reason);
  return accessDenied(attributes, reason);
}

/** Verbs on objects by method; other methods have none. */
const verbs: Readonly<Record<string, string | undefined>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/**
 * Reads the attributes from method, decoded path and query, whether or not the resource exists: a user without rights
 * must not learn that. Reads selectors only if `selecting`: most callers do not look at them.
 */
export function attributesOf(
  request: ApiRequest,
  path: RequestPath,
  user: UserInfo,
  selecting = false,
): AccessAttributes {
  const place = placeOf(path.parts);
  if (!place) return { user, verb: request.method.toLowerCase(), path: path.text };
  const { group, version, namespace, resource, subresource, watch } = place;
  const { verb, name } = verbAndName(request, place);
  const attributes = { user, verb, group, version, namespace, resource, name, subresource };
  // Requests below `/watch/` have no selectors: paths of single objects are there, too.
  if (!selecting || request.search === '' || watch || !selectingVerbs.has(verb)) return attributes;
  return { ...attributes, ...selectorsOf(queryOf(request.search)) };
}

/** Verbs on collections, which selectors narrow. */
const selectingVerbs = new Set(['deletecollection', 'list', 'watch']);

/** The selectors of queries, parsed once per query. */
const selectorsBy = new WeakMap<Query, Selectors>();

function selectorsOf(query: Query): Selectors {
  const known = selectorsBy.get(query);
  if (known) return known;
  const selectors = readSelectors(query.text('fieldSelector'), query.text('labelSelector'));
  selectorsBy.set(query, selectors);
  return selectors;
}

function verbAndName({ method, search }: ApiRequest, { name, watch }: PathParts): Asked {
  const verb = watch ? 'watch' : (verbs[method] ?? '');
  if (name !== '') return { verb, name };
  if (verb === 'delete') return { verb: 'deletecollection', name };
  return verb === 'get' ? readCollection(search) : { verb, name };
}

/** The verb and the object name of a request; the name is empty for a collection. */
interface Asked {
  readonly verb: string;
  readonly name: string;
}

/** The resource and object in a path; the deprecated `/watch/` also sets the verb. */
interface PathParts {
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly name: string;
  readonly subresource: string;
  readonly watch: boolean;
}

/** Returns `undefined` for paths without a resource. The rest after a subresource is not parsed. */
function placeOf(parts: readonly string[]): PathParts | undefined {
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

/** The verb and name of collection queries, parsed once per query. */
const askedBy = new WeakMap<Query, Asked>();

/** Returns the verb and name of a read of a collection. A field selector for one name only asks for that object. */
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

/** Checks whether the options can be read; all others are ignored here. */
const isReadable = (query: Query): boolean =>
  query.integer('limit').ok && query.integer('timeoutSeconds').ok && parseLabelSelector(query.text('labelSelector')).ok;

function selectedName(fields: string): string | undefined {
  if (fields === '') return undefined;
  const selector = parseFieldSelector(fields);
  const name = selector.ok ? exactValue(selector.value, 'metadata.name') : undefined;
  return name !== undefined && pathSegment(name).length === 0 ? name : undefined;
}

/** Subresources that connect to the program behind an object. */
const lasting = new Set(['attach', 'exec', 'log', 'portforward', 'proxy']);

/** Reports whether a request connects to the program behind an object. Either side may end the connection. */
export const isConnection = (attributes: AccessAttributes): boolean =>
  attributes.verb === 'proxy' || (!('path' in attributes) && lasting.has(attributes.subresource ?? ''));

/** Reports whether a request may change something, by its verb. */
export const isMutating = ({ verb }: AccessAttributes): boolean => !readingVerbs.has(verb);

const readingVerbs = new Set(['get', 'head', 'list', 'watch', 'options']);
