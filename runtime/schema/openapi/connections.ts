/** The operations of subresources that open connections or answer with text, not with an object. */
import type { QueryParameter, Subresource, Verb } from '../../contract/index.js';
import type { HttpMethod } from './document.js';
import { capitalize } from './naming.js';
import type { Parameter } from './parameters.js';
import * as parameters from './parameters.js';
import type { Route, RouteContext } from './route.js';

/** The methods by their verbs. */
const methods = {
  create: 'post',
  delete: 'delete',
  get: 'get',
  patch: 'patch',
  update: 'put',
} as const satisfies Partial<Record<Verb, HttpMethod>>;

/** Returns the routes of a subresource below a collection at `path`. */
export function connectionRoutes(context: RouteContext, subresource: Subresource, path: string): Route[] {
  const at = `${path}/{name}/${subresource.name}`;
  // Clients read a subresource without options of its own; they do not connect to it.
  if (subresource.kind === undefined) return [textRoute(context, subresource, at)];
  const verbs = Object.entries(methods).filter(([verb]) => subresource.verbs.some((served) => served === verb));
  const used: HttpMethod[] = verbs.map(([, method]) => method);
  if (subresource.proxy) used.push('head', 'options');
  const query = (subresource.query ?? []).map(toParameter);
  return used.flatMap((method) => {
    const route = connectRoute(context, subresource, { method, path: at, query });
    if (!subresource.proxy) return [route];
    const longer = { operationId: `${route.operationId}WithPath`, path: `${at}/{path}` };
    return [route, { ...route, ...longer, parameters: [...route.parameters, below] }];
  });
}

const below: Parameter = { name: 'path', in: 'path', type: 'string', description: 'The rest of the path.' };

interface Connection {
  readonly method: HttpMethod;
  readonly path: string;
  readonly query: readonly Parameter[];
}

function connectRoute(context: RouteContext, { name, kind }: Subresource, connection: Connection): Route {
  const { method, path, query } = connection;
  return {
    path,
    method,
    operationId: `connect${context.idPart}${capitalize(method)}${endingOf(context, name)}`,
    tag: context.tag,
    description: `connect ${method.toUpperCase()} requests to ${name} of ${context.resource.names.kind}`,
    action: 'connect',
    gvk: kind ? { group: kind.group, kind: kind.kind, version: kind.version } : context.gvk,
    parameters: [...query, ...placeOf(context, path)],
    consumes: ['*/*'],
    produces: ['*/*'],
    answers: [{ code: '200' }],
  };
}

function textRoute(context: RouteContext, { name, query = [] }: Subresource, path: string): Route {
  return {
    path,
    method: 'get',
    operationId: `read${context.idPart}${endingOf(context, name)}`,
    tag: context.tag,
    description: `read ${name} of ${context.resource.names.kind}`,
    action: 'get',
    gvk: context.gvk,
    parameters: [...query.map(toParameter), parameters.pretty, ...placeOf(context, path)],
    consumes: ['*/*'],
    produces: ['text/plain', ...context.mediaTypes],
    answers: [{ code: '200' }],
  };
}

function endingOf({ resource }: RouteContext, subresource: string): string {
  return (resource.scope === 'Namespaced' ? 'Namespaced' : '') + resource.names.kind + capitalize(subresource);
}

const placeOf = ({ name }: RouteContext, path: string): Parameter[] =>
  path.includes('{namespace}') ? [parameters.namespace, name] : [name];

const toParameter = ({ name, type, description }: QueryParameter): Parameter => ({
  name,
  in: 'query',
  type,
  description,
});
