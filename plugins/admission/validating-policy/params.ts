/** Finds the object that a binding gives its policy as parameters. */
import type { AdmissionContext, ApiObject, ResourceIndex, Result } from '../../../runtime/contract/index.js';
import { formatKind, parseGroupVersion } from '../../../runtime/objects/gvk.js';
import { badRequest } from '../../../runtime/objects/status.js';
import type { BindingSpec, ParamKind } from './spec.js';

/** Why no parameters of a kind can be had at all; `undefined` where they can. */
export function paramKindProblem(kind: ParamKind | undefined, resources: ResourceIndex): string | undefined {
  if (kind === undefined || resources.ofKind(kind.apiVersion, kind.kind)) return undefined;
  const { group, version } = parseGroupVersion(kind.apiVersion) ?? { group: '', version: '' };
  return `failed to find resource referenced by paramKind: '${formatKind({ group, version, kind: kind.kind })}'`;
}

/** The parameters, in the version that the policy asks for; nothing where the policy or the binding names none. */
export async function findParams(
  kind: ParamKind | undefined,
  param: BindingSpec['param'],
  resources: ResourceIndex,
  context: AdmissionContext,
): Promise<Result<ApiObject | undefined>> {
  const resource = kind && resources.ofKind(kind.apiVersion, kind.kind);
  if (!kind || !resource || !param) return { ok: true, value: undefined };
  const { name, namespace } = param;
  // An object in a namespace is not found without it, nor one outside of namespaces with one.
  const isPlaced = (resource.scope === 'Namespaced') === (namespace !== '');
  const found = isPlaced ? context.get(resource.group, resource.names.plural, namespace, name) : undefined;
  if (!found) return { ok: false, failure: badRequest(`${name} not found`) };
  if (found.apiVersion === kind.apiVersion) return { ok: true, value: found };
  return (await context.convert(found, kind.apiVersion)) ?? { ok: true, value: undefined };
}
