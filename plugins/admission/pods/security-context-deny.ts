/** SecurityContextDeny: pods choose neither users nor groups, nor options of SELinux. */
import type { AdmissionPlugin, JsonObject, JsonValue } from '../../../runtime/contract/index.js';
import { objectAt, objectsAt } from '../../../runtime/objects/guards.js';
import { handlesObjects } from '../handled.js';
import { refuse } from '../refuse.js';

/** Fields of the security context of a pod, with the names that messages have for them. */
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

/** The first of some fields that a security context has, with its path. */
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
