/** Gives admission plugins the resources of the server and their objects, and explains the admission of dry runs. */

import { impersonates, impersonationRights } from '../access/authentication.js';
import { attributesOf } from '../access/authorization.js';
import { unknownRemarks } from '../codec/field-remarks.js';
import { decodeEncoded, encodeJson } from '../codec/json.js';
import type {
  AccessAttributes,
  AdmissionContext,
  AdmissionHost,
  AdmissionPlugin,
  AdmissionStep,
  ApiObject,
  FollowedObjects,
  JsonObject,
  JsonValue,
  ObjectSink,
  ResourceIndex,
  ResourceModule,
  Result,
  UserInfo,
} from '../contract/index.js';
import type { OwnPath } from '../discovery/documents.js';
import { type Overlaid, overlay } from '../merge/index.js';
import { badRequest } from '../objects/failures.js';
import { isApiObject, isArray, isObject, isStringArray, stringAt } from '../objects/guards.js';
import { formatKind, parseGroupVersion } from '../objects/names/names.js';
import { internalFailure } from '../objects/status.js';
import { thenSync } from '../objects/turns.js';
import type { Registry } from '../registry/registry.js';
import { readPath } from '../registry/route.js';
import {
  type ApiRequest,
  type ApiResponse,
  type Handle,
  isStreamed,
  queryOf,
  type RequestHeaders,
  withHeaders,
} from '../request/api-request.js';
import { followObjects, updateObject } from '../request/object-access.js';
import { answerFailure } from '../request/responses.js';
import type { PipelineServices } from '../request/verb-request.js';
import type { ServedResource } from '../resource/served-resource.js';
import { convertBetween } from '../resource/versions.js';
import { toUnprunedObject } from '../write/decode.js';

/** Returns the resources of the server, and the objects that each plugin may read, by the plugin's name. */
export function defineAdmissionHost(
  registry: Registry,
  services: PipelineServices,
): { readonly resources: ResourceIndex; readonly hostOf: (plugin: string) => AdmissionHost } {
  const followAs =
    (name: string): AdmissionHost['follow'] =>
    (group, resource, sink, version) =>
      followObjects(services, `${name}/${resource}`, [group, resource], sink, version);
  const followed = new Map<string, FollowedObjects>();
  const objects = (key: string, begin: () => FollowedObjects): FollowedObjects => {
    const known = followed.get(key) ?? begin();
    followed.set(key, known);
    return known;
  };
  const resources = resourceIndex(registry);
  const hostOf = (plugin: string): AdmissionHost => ({
    featureEnabled: services.featureEnabled,
    resources,
    ...(services.observer ? { observer: services.observer } : {}),
    follow: followAs(plugin),
    objects: (group, resource, version) =>
      objects(`${group}/${resource}/${version ?? ''}`, () =>
        followAll(followAs('admission'), group, resource, version),
      ),
    update: (place, change) => updateObject(services, place, change),
  });
  return { resources, hostOf };
}

/** Starts a plugin. Throws an error that names it if it cannot start. */
export function startPlugin(plugin: AdmissionPlugin, host: AdmissionHost, configuration: unknown): void {
  try {
    plugin.start?.(host, configuration);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`the admission plugin ${plugin.name} cannot start: ${message}`, { cause: error });
  }
}

function resourceIndex(registry: Registry): ResourceIndex {
  const served = ({ group, version, names }: ResourceModule): ServedResource | undefined =>
    registry.find(group, version, names.plural);
  return {
    find: (group, version, resource) => registry.find(group, version, resource)?.module,
    all: () => registry.resources.map(({ module }) => module),
    ofKind: (apiVersion, kind) => {
      const module = registry.convertible(apiVersion, kind)?.module;
      return module && served(module)?.module;
    },
    equivalents: (resource) => {
      const stored = served(resource)?.stored;
      return registry.resources.flatMap((other) => (other.stored === stored ? [other.module] : []));
    },
  };
}

/** Converts objects between versions of their kind, for plugins that handle another version than the request does. */
export function defineConversion(registry: Registry): AdmissionContext['convert'] {
  return (object, apiVersion) => {
    const from = registry.convertible(object.apiVersion, object.kind);
    const to = registry.convertible(apiVersion, object.kind);
    if (!from || !to || from.stored !== to.stored) return undefined;
    if (from !== to && to.stored.remote) return convertByWebhook(to, object);
    return thenSync(from.ready(), () => ({ ok: true, value: convertBetween(from, to, object) }));
  };
}

/** Makes objects from values of any kind, for plugins that have changed an object as JSON. */
export function defineDecoding(registry: Registry): NonNullable<AdmissionContext['decode']> {
  return (value, strict = false) => {
    const [apiVersion, kind] = [stringAt(value, 'apiVersion'), stringAt(value, 'kind')];
    const resource = registry.convertible(apiVersion, kind);
    if (!resource)
      return { ok: false, failure: internalFailure(`no kind "${kind}" is registered for "${apiVersion}"`) };
    const decoded = toUnprunedObject(resource, value);
    if (!decoded.ok) return { ok: false, failure: internalFailure(decoded.problem) };
    const { object, unknownFields } = decoded.value;
    if (!strict || unknownFields.length === 0) return { ok: true, value: object };
    const remarks = unknownRemarks(unknownFields, resource.module.decoding);
    return { ok: false, failure: internalFailure(`strict decoding error: ${remarks.join(', ')}`) };
  };
}

/** Merges configurations into objects of any kind, for plugins. */
export function defineMerging(registry: Registry): NonNullable<AdmissionContext['merge']> {
  return (object, configuration) => {
    const { apiVersion, kind } = object;
    const resource = registry.convertible(apiVersion, kind);
    const merged = resource
      ? overlay(resource.plan.root, object, { ...configuration, apiVersion, kind })
      : noSuchType(apiVersion, kind);
    return merged.ok ? merged : { ok: false, failure: badRequest(merged.problem) };
  };
}

/** Returns the failure for kinds that clients only send, such as the options of a connection. */
function noSuchType(apiVersion: string, kind: string): Overlaid {
  const parsed = parseGroupVersion(apiVersion) ?? { group: '', version: apiVersion };
  const name = formatKind({ ...parsed, kind });
  return { ok: false, problem: `failed to convert patch object to typed object: no corresponding type for ${name}` };
}

async function convertByWebhook(to: ServedResource, object: ApiObject): Promise<Result<ApiObject>> {
  const converted = await to.stored.remote?.convert([object], to.apiVersion);
  if (converted?.ok === false) return converted;
  const [value] = converted?.value ?? [];
  if (!isApiObject(value)) throw new Error('a conversion yielded no object');
  to.functions.prune(value, () => {});
  return { ok: true, value };
}

/** Follows a resource until the server closes. The objects are the store's, not copies. */
export function followAll(
  follow: AdmissionHost['follow'],
  group: string,
  resource: string,
  version?: string,
): FollowedObjects {
  const namespaces = new Map<string, Map<string, ApiObject>>();
  const sink: ObjectSink = {
    changed(object) {
      const { namespace = '', name = '' } = object.metadata;
      const objects = namespaces.get(namespace);
      if (objects) objects.set(name, object);
      else namespaces.set(namespace, new Map([[name, object]]));
    },
    removed(namespace, name) {
      const objects = namespaces.get(namespace);
      objects?.delete(name);
      if (objects?.size === 0) namespaces.delete(namespace);
    },
    reset: () => namespaces.clear(),
  };
  follow(group, resource, sink, version);
  return {
    get: (namespace, name) => namespaces.get(namespace)?.get(name),
    list: (namespace) => (namespace === undefined ? allOf(namespaces) : (namespaces.get(namespace)?.values() ?? [])),
  };
}

function* allOf(namespaces: ReadonlyMap<string, ReadonlyMap<string, ApiObject>>): Iterable<ApiObject> {
  for (const objects of namespaces.values()) yield* objects.values();
}

/** A dry run with this header is answered with the explanation. */
const header = 'kindforge-explain-admission';

/** Users need the right to get this path: explanations show webhooks and stored objects. */
const path = '/debug/admission';

const help = `A write with ?dryRun=All and the header ${header}: true is answered with what admission has made of it.\n`;

export const explainPath: OwnPath = {
  path,
  isUnlisted: true,
  answer: () => ({ code: 200, contentType: 'text/plain', body: Buffer.from(help) }),
};

/** Passes on all requests that do not ask for an explanation. */
export function withExplanations(handle: Handle): Handle {
  return (request) => (request.headers[header] === undefined ? handle(request) : explained(handle, request));
}

async function explained(handle: Handle, request: ApiRequest): Promise<ApiResponse> {
  if (queryOf(request.search).text('dryRun') !== 'All') {
    return answerFailure(undefined, badRequest(`${header} is for requests with dryRun=All`));
  }
  // Check the rights of the real caller, even when impersonating.
  const allowed = await handle(rightToExplain(request));
  if (allowed.code !== 200) return allowed;
  const steps: AdmissionStep[] = [];
  const { [header]: asked, 'accept-encoding': _packed, ...headers } = request.headers;
  const explain = (step: AdmissionStep): void => void steps.push(step);
  const own = { ...withHeaders(request, { ...headers, ...groupsOf(asked), accept: 'application/json' }), explain };
  const { code, body, headers: sent = {} } = await handle(own);
  if (isStreamed(body)) throw new Error('a dry run is answered with a stream');
  const text = Buffer.concat([body].flat()).toString();
  const warnings = [sent.Warning ?? sent.warning ?? []].flat();
  const explanation = { code, answer: parsed(text), warnings, steps: steps.map(asJson) };
  return { code: 200, contentType: 'application/json', body: Buffer.from(encodeJson(explanation)) };
}

function rightToExplain(request: ApiRequest): ApiRequest {
  const kept = Object.entries(request.headers).filter(([name]) => !/^(impersonate-|content-)/.test(name));
  const { [header]: _, ...headers } = Object.fromEntries(kept);
  return { ...withHeaders(request, headers), method: 'GET', path, search: '', passing: undefined };
}

/** Reads the groups to impersonate from the header, for clients that cannot send a header twice. */
function groupsOf(asked: string | readonly string[] | undefined): RequestHeaders {
  const options = typeof asked === 'string' ? parsed(asked) : undefined;
  const groups = isObject(options) ? options.groups : undefined;
  return isArray(groups) && isStringArray(groups) && groups.length > 0 ? { 'impersonate-group': [...groups] } : {};
}

const asJson = ({ warnings, ...step }: AdmissionStep): JsonObject => ({ ...step, warnings: warnings && [...warnings] });

function parsed(text: string): JsonValue {
  return decodeEncoded(Buffer.from(text)) ?? text;
}

/** A request that passes through on its way to a server. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  /** All values of each header, by names in lower case. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
}

const maker: UserInfo = { name: '', uid: '', groups: [], extra: {} };

/**
 * Returns the rights that the caller of a request needs. If the request impersonates, these are only the rights to
 * impersonate. The impersonated user needs the others. `authenticationGroup` is the group of users' uids and extra
 * fields.
 */
export function askedBy(
  { method, url, headers }: SeenRequest,
  authenticationGroup: string,
): readonly AccessAttributes[] {
  const [path = '', search = ''] = url.split(/\?(.*)/s, 2);
  const valuesOf = (name: string): readonly string[] => headers[name] ?? [];
  const readBody = (): never => {
    throw new Error('nobody reads the body of a request that is only seen');
  };
  const request: ApiRequest = { method, path, search, headers, valuesOf, readBody };
  if (impersonates(request)) return impersonationRights(request, maker, authenticationGroup);
  return [attributesOf(request, readPath(path), maker)];
}
