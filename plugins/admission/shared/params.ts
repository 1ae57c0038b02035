/** Finds the objects that policies take parameters from. */
import type { AdmissionContext, ApiObject, ResourceIndex, Result } from '../../../runtime/contract/index.js';
import { formatKind, parseGroupVersion } from '../../../runtime/objects/names/names.js';
import { badRequest } from '../../../runtime/objects/status.js';
import type { ParamKind, ParamReference } from './policy-spec.js';

/** Returns why a parameter kind cannot be used, or `undefined` if it can. */
export function paramKindProblem(kind: ParamKind | undefined, resources: ResourceIndex): string | undefined {
  if (kind === undefined || resources.ofKind(kind.apiVersion, kind.kind)) return undefined;
  const { group, version } = parseGroupVersion(kind.apiVersion) ?? { group: '', version: '' };
  return `failed to find resource referenced by paramKind: '${formatKind({ group, version, kind: kind.kind })}'`;
}

/** Finds the parameters as release 1.27 does: one object, by its name. */
export async function findParams(
  kind: ParamKind | undefined,
  param: ParamReference | undefined,
  resources: ResourceIndex,
  context: AdmissionContext,
): Promise<Result<readonly (ApiObject | undefined)[]>> {
  const resource = kind && resources.ofKind(kind.apiVersion, kind.kind);
  if (!kind || !resource || !param) return withoutParams;
  const { name, namespace } = param;
  // A namespaced object needs a namespace, and a cluster-scoped one must not have one.
  const isPlaced = (resource.scope === 'Namespaced') === (namespace !== '');
  const found = isPlaced ? context.get(resource.group, resource.names.plural, namespace, name) : undefined;
  if (!found) return { ok: false, failure: badRequest(`${name} not found`) };
  const converted = await inVersion(found, kind.apiVersion, context);
  return converted.ok ? { ok: true, value: [converted.value] } : converted;
}

/** The result for policies and bindings without parameters: they are evaluated once. */
const withoutParams = { ok: true, value: [undefined] } as const;

async function inVersion(
  object: ApiObject,
  apiVersion: string,
  { convert }: AdmissionContext,
): Promise<Result<ApiObject | undefined>> {
  if (object.apiVersion === apiVersion) return { ok: true, value: object };
  return (await convert(object, apiVersion)) ?? { ok: true, value: undefined };
}

/**
 * Finds the objects of parameters that a binding names or selects, in the version that the policy asks for. Parameters
 * in namespaces come from the namespace of the request unless the binding names another. If there are none, the binding
 * decides whether that is a failure.
 */
export async function findAllParams(
  kind: ParamKind | undefined,
  param: ParamReference | undefined,
  resources: ResourceIndex,
  context: AdmissionContext,
  requestNamespace: string,
): Promise<Result<readonly (ApiObject | undefined)[]>> {
  const resource = kind && resources.ofKind(kind.apiVersion, kind.kind);
  if (!kind || !resource || !param) return withoutParams;
  const isNamespaced = resource.scope === 'Namespaced';
  const namespace = isNamespaced ? param.namespace || requestNamespace : '';
  if (isNamespaced && namespace === '') {
    const problem = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
    return { ok: false, failure: badRequest(problem) };
  }
  const { group, names } = resource;
  const named = param.name === '' ? undefined : context.get(group, names.plural, namespace, param.name);
  const { selector } = param;
  const selected = selector
    ? [...context.list(group, names.plural, namespace)].filter(({ metadata }) =>
        selector.matches(metadata.labels ?? {}),
      )
    : [];
  const found = named ? [named] : selected;
  if (found.length === 0 && param.allowsNone === false) {
    const problem = 'no params found for policy binding with `Deny` parameterNotFoundAction';
    return { ok: false, failure: badRequest(problem) };
  }
  const converted: (ApiObject | undefined)[] = [];
  for (const object of found) {
    const one = await inVersion(object, kind.apiVersion, context);
    if (!one.ok) return one;
    converted.push(one.value);
  }
  return { ok: true, value: converted };
}
