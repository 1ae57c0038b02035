/** Turns events of a user's own app into requests of the API: each route is one verb of one resource. */
import type { H3Event } from 'h3';
import type { EventHandlerOptions, EventHandlers, EventServer, ResourceModule, Verb } from '../contract/index.js';
import type { ApiEventHandler, ServerApp } from '../http/app.js';
import type { Naming } from '../objects/names/naming.js';
import { decodePath } from '../registry/route.js';
import { type ApiRequest, withHeaders } from '../request/api-request.js';

/** How a verb is requested. */
interface Form {
  readonly method: string;
  /** Whether the path names one object instead of the collection. */
  readonly names?: true;
  /** Whether the path may cover all namespaces. */
  readonly everywhere?: true;
  readonly contentType?: string;
}

const forms = {
  get: { method: 'GET', names: true },
  list: { method: 'GET', everywhere: true },
  watch: { method: 'GET', everywhere: true },
  create: { method: 'POST' },
  update: { method: 'PUT', names: true },
  patch: { method: 'PATCH', names: true },
  apply: { method: 'PATCH', names: true, contentType: 'application/apply-patch+yaml' },
  delete: { method: 'DELETE', names: true },
  deletecollection: { method: 'DELETE' },
} as const satisfies Readonly<Record<Verb | 'apply', Form>>;

/** Returns a function that makes the handlers of a resource. Each sends its request to the server like a client. */
export function defineEventHandlers(
  handlerFor: ServerApp['handlerFor'],
  { rename }: Naming,
): EventServer['eventHandlers'] {
  return (resource, options = {}) => {
    const root = rootOf(resource, rename(resource.group));
    const handlerOf = (verb: keyof typeof forms): ApiEventHandler => {
      const form: Form = forms[verb];
      return handlerFor((event, request) => {
        const path = pathOf(event, form, root, resource, options);
        return path === undefined ? undefined : asked(request, form, path, verb === 'watch');
      });
    };
    return {
      get: handlerOf('get'),
      list: handlerOf('list'),
      watch: handlerOf('watch'),
      create: handlerOf('create'),
      update: handlerOf('update'),
      patch: handlerOf('patch'),
      apply: handlerOf('apply'),
      delete: handlerOf('delete'),
      deletecollection: handlerOf('deletecollection'),
    } satisfies EventHandlers;
  };
}

const rootOf = ({ version }: ResourceModule, group: string): string =>
  group === '' ? `/api/${version}` : `/apis/${group}/${version}`;

/**
 * Returns the path of the API; `undefined` if a parameter cannot be a part of one. Throws if the route does not name an
 * object.
 */
function pathOf(
  { context: { params = {} } }: H3Event,
  { names, everywhere }: Form,
  root: string,
  { scope, names: { plural } }: ResourceModule,
  { namespace: usual = defaultNamespace }: EventHandlerOptions,
): string | undefined {
  if (names && params.name === undefined) {
    throw new TypeError(`the route has no parameter "name"; mount it as in app.get('/${plural}/:name', handlers.get)`);
  }
  const namespace = params.namespace ?? (usual === '' && !everywhere ? defaultNamespace : usual);
  const within = scope === 'Namespaced' && namespace !== '' ? ['namespaces', namespace] : [];
  const parts = [...within, plural, ...(names ? [params.name ?? ''] : [])].map(segmentOf);
  return parts.includes(undefined) ? undefined : `${root}/${parts.join('/')}`;
}

const defaultNamespace = 'default';

/** Escapes a parameter as one part of a path, because the server splits paths at escaped slashes too. */
function segmentOf(parameter: string): string | undefined {
  const text = decodePath(parameter);
  return text === undefined || text === '' || text.includes('/') ? undefined : encodeURIComponent(text);
}

/** Returns the request of the API. A route for a list never becomes a watch, even if the query asks for it. */
function asked(request: ApiRequest, { method, contentType }: Form, path: string, watches: boolean): ApiRequest {
  const query = new URLSearchParams(request.search);
  query.delete('watch');
  if (watches) query.set('watch', 'true');
  const headers = contentType === undefined ? request.headers : { ...request.headers, 'content-type': contentType };
  return { ...withHeaders(request, headers), method, path, search: query.toString(), basePath: '' };
}
