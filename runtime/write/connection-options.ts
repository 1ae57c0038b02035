/** The options object of a connection, made of its query, as admission sees it. */
import type { ApiObject, JsonValue, QueryParameter, Result } from '../contract/index.js';
import { getOwn, isArray } from '../objects/guards.js';
import { formatGroupVersion } from '../objects/gvk.js';
import type { VerbRequest } from '../request/verb-request.js';

/** `undefined` where the subresource has no such kind; a failure where a number is none. */
export function connectionOptions(verb: VerbRequest): Result<ApiObject | undefined> {
  const { kind, query = [], proxy } = verb.subresource ?? {};
  if (!kind) return { ok: true, value: undefined };
  const apiVersion = formatGroupVersion(kind.group, kind.version);
  const options: ApiObject = { kind: kind.kind, apiVersion, metadata: {} };
  for (const parameter of query) {
    const value = readOption(verb, parameter);
    if (!value.ok) return value;
    if (value.value !== undefined) options[parameter.name] = value.value;
  }
  if (proxy) {
    const path = proxiedPath(verb);
    if (path !== '') options.path = path;
  }
  return { ok: true, value: options };
}

/** Nothing for what is absent, and for what is the same as that. */
function readOption({ query }: VerbRequest, { name, type, repeated }: QueryParameter): Result<JsonValue | undefined> {
  if (repeated) {
    if (type !== 'integer') return { ok: true, value: query.has(name) ? [...query.all(name)] : undefined };
    const texts = query.all(name).flatMap((text) => text.split(','));
    return { ok: true, value: texts.length === 0 ? undefined : texts.map(Number).filter(Number.isInteger) };
  }
  if (type === 'boolean') return { ok: true, value: query.boolean(name) || undefined };
  return type === 'integer' ? query.integer(name) : { ok: true, value: query.text(name) || undefined };
}

/** The part of the path behind the subresource, from its slash on. */
function proxiedPath({ request, resource, namespace }: VerbRequest): string {
  const { group } = resource.module;
  const before = (group === '' ? 3 : 4) + (namespace === '' ? 0 : 2) + 3;
  const rest = request.path.split('/').slice(before);
  return rest.length === 0 ? '' : `/${rest.join('/')}`;
}

/** A parameter as admission has left it, as text; the first one where there are several. */
export function optionText(options: ApiObject, name: string): string {
  const value = getOwn(options, name);
  const first = isArray(value) ? value[0] : value;
  return first === undefined || first === null || typeof first === 'object' ? '' : String(first);
}
