/** A request as expressions and webhooks see it. */
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
} from '../../runtime/contract/index.js';
import { formatGroupVersion, parseGroupVersion } from '../../runtime/objects/gvk.js';

/** Tells namespaces from other resources. */
export const isNamespaces = ({ group, names }: ResourceModule): boolean =>
  group === '' && names.plural === 'namespaces';

/** The namespace that a request is about, which is itself where it is about a namespace. */
export const namespaceOf = ({ resource, namespace, name }: AdmissionAttributes): string =>
  isNamespaces(resource) ? name : namespace;

/** The variable `request`. What is empty is left out, but for the parts of kinds and resources. */
export function requestValue(attributes: AdmissionAttributes): JsonObject {
  const { resource, subresource, name, operation, user, dryRun, options } = attributes;
  const kind = { ...kindOf(attributes) };
  const place = { group: resource.group, version: resource.version, resource: resource.names.plural };
  return {
    kind,
    resource: place,
    ...present('subResource', subresource),
    requestKind: kind,
    requestResource: place,
    ...present('requestSubResource', subresource),
    ...present('name', name),
    ...present('namespace', namespaceOf(attributes)),
    operation,
    userInfo: userValue(user),
    dryRun,
    options: Object.keys(options).length === 0 ? null : options,
  };
}

/** An object as expressions and webhooks see it: the options of a connection have no metadata. */
export function shownObject(operation: Operation, object: ApiObject): JsonObject {
  if (operation !== 'CONNECT') return object;
  const { metadata: _, ...options } = object;
  return options;
}

const present = (key: string, text: string): JsonObject => (text === '' ? {} : { [key]: text });

/** The kind of the body: that of the object, or of the subresource where it has one of its own. */
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

/** The states of an object in the version in which they are seen. */
export interface SeenObjects {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

/** The objects of a request in another version; those of subresources with kinds of their own stay as they are. */
export async function seenAs(
  version: ResourceModule,
  { resource, object, oldObject }: AdmissionAttributes,
  { convert }: AdmissionContext,
): Promise<Result<SeenObjects>> {
  if (version === resource) return { ok: true, value: { object, oldObject } };
  const apiVersion = formatGroupVersion(version.group, version.version);
  const seen = async (one: ApiObject | undefined): Promise<Result<ApiObject | undefined>> =>
    (one && one.apiVersion !== apiVersion ? await convert(one, apiVersion) : undefined) ?? { ok: true, value: one };
  const [now, before] = await Promise.all([seen(object), seen(oldObject)]);
  if (!now.ok) return now;
  return before.ok ? { ok: true, value: { object: now.value, oldObject: before.value } } : before;
}
