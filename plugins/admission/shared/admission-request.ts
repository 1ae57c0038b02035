/** A request as expressions and webhooks see it, in the version that they ask for. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  JsonObject,
  KindReference,
  Operation,
  ResourceModule,
  Result,
  UserInfo,
} from '../../../runtime/contract/index.js';
import { formatGroupVersion, parseGroupVersion } from '../../../runtime/objects/names/names.js';

export const isNamespaces = ({ group, names }: ResourceModule): boolean =>
  group === '' && names.plural === 'namespaces';

/** Returns the namespace of a request. A request about a namespace is in that namespace. */
export const namespaceOf = ({ resource, namespace, name }: AdmissionAttributes): string =>
  isNamespaces(resource) ? name : namespace;

/** Returns the object of the namespace that a request is in. */
export function namespaceSeenBy(attributes: AdmissionAttributes, { get }: AdmissionContext): ApiObject | undefined {
  const namespace = namespaceOf(attributes);
  return namespace === '' ? undefined : get('', 'namespaces', '', namespace);
}

/**
 * Returns the variable `request`. `kind` and `resource` name the version that the rule matched, `requestKind` and
 * `requestResource` the version of the request. Empty parts are left out, except in kinds and resources.
 */
export function requestValue(attributes: AdmissionAttributes, { object, matched }: SeenObjects): JsonObject {
  const { resource, subresource, name, operation, user, dryRun, options } = attributes;
  return {
    kind: { ...kindOf(matched ? { ...attributes, resource: matched, object } : attributes) },
    resource: placeOf(matched ?? resource),
    ...present('subResource', subresource),
    requestKind: { ...kindOf(attributes) },
    requestResource: placeOf(resource),
    ...present('requestSubResource', subresource),
    ...present('name', name),
    ...present('namespace', namespaceOf(attributes)),
    operation,
    userInfo: userValue(user),
    dryRun,
    options: Object.keys(options).length === 0 ? null : options,
  };
}

/** Returns an object as expressions and webhooks see it. Options of a CONNECT have no metadata. */
export function shownObject(operation: Operation, object: ApiObject): JsonObject {
  if (operation !== 'CONNECT') return object;
  const { metadata: _, ...options } = object;
  return options;
}

const placeOf = ({ group, version, names }: ResourceModule): JsonObject => ({ group, version, resource: names.plural });

const present = (key: string, text: string): JsonObject => (text === '' ? {} : { [key]: text });

/** Returns the kind of the body: the object's, or the subresource's own. */
function kindOf({ resource, subresource, object }: AdmissionAttributes): KindReference {
  const sent = object && parseGroupVersion(object.apiVersion);
  if (subresource !== '' && sent) return { ...sent, kind: object.kind };
  const subresourceKind = resource.subresources.find(({ name }) => name === subresource)?.kind;
  return subresourceKind ?? { group: resource.group, version: resource.version, kind: resource.names.kind };
}

function userValue({ name, uid, groups, extra }: UserInfo): JsonObject {
  return {
    ...present('username', name),
    ...present('uid', uid),
    ...(groups.length === 0 ? {} : { groups: [...groups] }),
    ...(Object.keys(extra).length === 0
      ? {}
      : { extra: Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]])) }),
  };
}

/** The new and old object in the version that the reader asks for. */
export interface SeenObjects {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
  /** The resource in the version that the reader asks for. Without it, `request` names one version only. */
  readonly matched?: ResourceModule;
}

/**
 * Converts the objects of a request to another version. Objects of subresources with a kind of their own are not
 * converted.
 */
export async function seenAs(
  version: ResourceModule,
  { resource, object, oldObject }: AdmissionAttributes,
  { convert }: AdmissionContext,
): Promise<Result<SeenObjects>> {
  if (version === resource) return { ok: true, value: { object, oldObject, matched: version } };
  const apiVersion = formatGroupVersion(version.group, version.version);
  const seen = async (one: ApiObject | undefined): Promise<Result<ApiObject | undefined>> =>
    (one && one.apiVersion !== apiVersion ? await convert(one, apiVersion) : undefined) ?? { ok: true, value: one };
  const [now, before] = await Promise.all([seen(object), seen(oldObject)]);
  if (!now.ok) return now;
  return before.ok ? { ok: true, value: { object: now.value, oldObject: before.value, matched: version } } : before;
}
