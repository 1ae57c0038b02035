/** Plugins that admit or deny by the request alone. AlwaysAdmit, the first, lets every write pass. */
import type {
  AdmissionAttributes,
  AdmissionPlugin,
  ApiObject,
  Failure,
  JsonObject,
  JsonValue,
  UserInfo,
} from '../../runtime/contract/index.js';
import { isArray, objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { itself } from '../authentication/tokens.js';
import { handlesObjects, refuse } from './define-admission-plugin.js';

export function defineAlwaysAdmit(): AdmissionPlugin {
  return {
    name: 'AlwaysAdmit',
    handles: () => true,
    admit: () => undefined,
    validate: () => undefined,
  };
}

/** Denies all writes except the server's own, because without these the server could not start. */
const deny = (attributes: AdmissionAttributes): Failure | undefined =>
  isServer(attributes.user) ? undefined : refuse(attributes, 'admission control is denying all modifications');

const isServer = ({ name, groups }: UserInfo): boolean =>
  name === itself.name && itself.groups.every((group) => groups.includes(group));

export function defineAlwaysDenyAdmission(): AdmissionPlugin {
  return { name: 'AlwaysDeny', handles: () => true, admit: deny, validate: deny };
}

/** DenyServiceExternalIPs: refuses new external addresses of Services, because they could attract traffic of others. */
export function defineDenyServiceExternalIPs(): AdmissionPlugin {
  return {
    name: 'DenyServiceExternalIPs',
    handles: handlesObjects('', 'services', 'CREATE', 'UPDATE'),
    validate(attributes) {
      const { object, oldObject } = attributes;
      const before = addressesOf(oldObject);
      if (addressesOf(object).every((address) => before.includes(address))) return undefined;
      return refuse(attributes, 'Use of external IPs is denied by admission control');
    },
  };
}

function addressesOf(service: ApiObject | undefined): readonly JsonValue[] {
  const addresses = objectAt(service, 'spec')?.externalIPs;
  return isArray(addresses) ? addresses : [];
}

/** Fields of a pod's security context and their names in messages. */
const ofPod = [
  ['supplementalGroups', 'SupplementalGroups'],
  ['seLinuxOptions', 'SELinuxOptions'],
  ['runAsUser', 'RunAsUser'],
  ['fsGroup', 'FSGroup'],
] as const;

const ofContainers = [
  ['seLinuxOptions', 'SELinuxOptions'],
  ['runAsUser', 'RunAsUser'],
] as const;

export function defineSecurityContextDeny(): AdmissionPlugin {
  return {
    name: 'SecurityContextDeny',
    handles: handlesObjects('', 'pods', 'CREATE', 'UPDATE'),
    validate(attributes) {
      const spec = objectAt(attributes.object, 'spec');
      const forbidden =
        firstSet(spec, ofPod, 'pod.Spec.') ??
        ['initContainers', 'containers']
          .flatMap((list) => objectsAt(spec, list))
          .map((container) => firstSet(container, ofContainers))
          .find((found) => found !== undefined);
      return forbidden === undefined ? undefined : refuse(attributes, `${forbidden} is forbidden`);
    },
  };
}

/** Returns the path of the first of these fields that a security context sets. */
function firstSet(
  holder: JsonObject | undefined,
  fields: readonly (readonly [field: string, shown: string])[],
  path = '',
): string | undefined {
  const context = objectAt(holder, 'securityContext') ?? {};
  const found = fields.find(([field]) => isSet(context[field]));
  return found && `${path}SecurityContext.${found[1]}`;
}

const isSet = (value: JsonValue | undefined): boolean => value !== undefined && value !== null;

export function defineLimitPodHardAntiAffinityTopology({ rename }: Naming): AdmissionPlugin {
  const host = rename('platform.io/hostname');
  return {
    name: 'LimitPodHardAntiAffinityTopology',
    handles: handlesObjects('', 'pods', 'CREATE', 'UPDATE'),
    validate(attributes) {
      const antiAffinity = objectAt(objectAt(objectAt(attributes.object, 'spec'), 'affinity'), 'podAntiAffinity');
      const required = objectsAt(antiAffinity, 'requiredDuringSchedulingIgnoredDuringExecution');
      const wider = required.map((term) => stringAt(term, 'topologyKey')).find((key) => key !== host);
      if (wider === undefined) return undefined;
      const said = `affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ${wider}`;
      return refuse(attributes, `${said} but only key ${host} is allowed`);
    },
  };
}
