/** ParameterRights: users who write or bind a policy must be able to read the objects that it takes parameters from. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionHost,
  AdmissionPlugin,
  ApiObject,
  AuthorizationAttributes,
  FieldError,
  ResourceIndex,
  UserInfo,
} from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { forbidden } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { parseGroupVersion } from '../../runtime/objects/names/names.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { invalid } from '../../runtime/objects/status.js';
import { administrators } from '../authorization/index.js';

/** Policies by their bindings. */
const policiesOf: ReadonlyMap<string, string> = new Map([
  ['mutatingadmissionpolicybindings', 'mutatingadmissionpolicies'],
  ['validatingadmissionpolicybindings', 'validatingadmissionpolicies'],
]);

const policies: ReadonlySet<string> = new Set(policiesOf.values());

/**
 * Creates the plugin. Messages of policies show what their expressions read, so a policy must not read more than its
 * author may.
 */
export function defineParameterRights({ rename }: Naming): AdmissionPlugin {
  const group = rename('admissionregistration.platform.io');
  let resources: AdmissionHost['resources'] | undefined;
  return {
    name: 'ParameterRights',
    start(host) {
      resources = host.resources;
    },
    handles: ({ group: ofGroup, names: { plural } }, operation, subresource) =>
      ofGroup === group &&
      (policies.has(plural) || policiesOf.has(plural)) &&
      subresource === '' &&
      (operation === 'CREATE' || operation === 'UPDATE'),
    async validate(attributes, context) {
      const { user, object, resource } = attributes;
      if (!object || !resources || user.groups.includes(administrators)) return undefined;
      const check = policies.has(resource.names.plural) ? checkPolicy : checkBinding;
      const error = await check(attributes, object, context, resources);
      return error && invalid(resource.group, resource.names.kind, attributes.name, [error]);
    },
  };
}

async function checkPolicy(
  { user, oldObject }: AdmissionAttributes,
  policy: ApiObject,
  { authorize }: AdmissionContext,
  resources: ResourceIndex,
): Promise<FieldError | undefined> {
  const kind = objectAt(objectAt(policy, 'spec'), 'paramKind');
  if (!kind || equal(kind, objectAt(objectAt(oldObject, 'spec'), 'paramKind'))) return undefined;
  const all = { user, verb: 'get', namespace: '*', name: '*' };
  if (await authorize({ ...all, ...resourceOf(policy, resources) })) return undefined;
  const which = `(kind=${stringAt(kind, 'kind')}, apiVersion=${stringAt(kind, 'apiVersion')})`;
  const problem = `user ${userText(user)} must have "get" permission on all objects of the referenced paramKind ${which}`;
  return forbidden('spec.paramKind', problem);
}

async function checkBinding(
  { user, oldObject, resource: { group, names } }: AdmissionAttributes,
  binding: ApiObject,
  { authorize, get }: AdmissionContext,
  resources: ResourceIndex,
): Promise<FieldError | undefined> {
  const [spec, old] = [objectAt(binding, 'spec'), objectAt(oldObject, 'spec')];
  const reference = objectAt(spec, 'paramRef');
  const policyName = stringAt(spec, 'policyName');
  if (!reference) return undefined;
  if (equal(reference, objectAt(old, 'paramRef')) && policyName === stringAt(old, 'policyName')) return undefined;
  // Labels may select any object.
  const name = objectAt(reference, 'selector') ? '*' : stringAt(reference, 'name');
  const one = { user, verb: 'get', namespace: stringAt(reference, 'namespace'), name };
  const policy = get(group, policiesOf.get(names.plural) ?? '', '', policyName);
  if (await authorize({ ...one, ...resourceOf(policy, resources) })) return undefined;
  const problem = `user ${userText(user)} does not have "get" permission on the object referenced by paramRef`;
  return forbidden('spec.paramRef', problem);
}

/** Returns the resource of a policy's parameters. If it is unknown, the right to all resources is needed. */
function resourceOf(
  policy: ApiObject | undefined,
  resources: ResourceIndex,
): Pick<AuthorizationAttributes, 'group' | 'resource'> {
  const kind = objectAt(objectAt(policy, 'spec'), 'paramKind');
  const apiVersion = stringAt(kind, 'apiVersion');
  const parsed = kind && parseGroupVersion(apiVersion);
  if (!parsed) return { group: '*', resource: '*' };
  const resource = resources.ofKind(apiVersion, stringAt(kind, 'kind'))?.names.plural ?? '*';
  return { group: parsed.group, resource };
}

/** Prints a user as the reference does. */
function userText({ name, uid, groups, extra }: UserInfo): string {
  const extras = Object.entries(extra).map(([key, values]) => `${key}:[${values.join(' ')}]`);
  return `&{${name} ${uid} [${groups.join(' ')}] map[${extras.sort().join(' ')}]}`;
}
