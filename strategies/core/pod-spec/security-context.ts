/** Security contexts of pods and of containers. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { isInteger, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { checkChoice, checkRange, type FieldErrors, userIds } from '../../shared/field-checks.js';
import { checkDescendingPath } from '../../shared/paths.js';
import { hasAt, integerAt, isTrueAt, listAt, objectsAt, textsAt } from '../../shared/reading.js';
import { checkSysctls } from './sysctls.js';
import { checkWindowsOptions } from './windows-options.js';

/** The security context of a pod, at the path of its spec. */
export function* checkPodSecurity(spec: JsonObject, path: string): FieldErrors {
  if (isTrueAt(spec, 'hostNetwork')) yield* checkHostPorts(spec, path);
  const context = objectAt(spec, 'securityContext') ?? {};
  const at = `${path}.securityContext`;
  for (const key of ['fsGroup', 'runAsUser', 'runAsGroup']) yield* checkRange(context, key, at, userIds);
  for (const group of listAt(context, 'supplementalGroups')) {
    if (isInteger(group)) yield* checkRange({ supplementalGroups: group }, 'supplementalGroups', at, userIds);
  }
  if (isTrueAt(spec, 'shareProcessNamespace') && isTrueAt(spec, 'hostPID')) {
    const problem = 'ShareProcessNamespace and HostPID cannot both be enabled';
    yield invalidValue(`${at}.shareProcessNamespace`, true, problem);
  }
  yield* checkSysctls(context, spec, `${at}.sysctls`);
  yield* checkChoice(context, 'fsGroupChangePolicy', at, ['Always', 'OnRootMismatch']);
  yield* checkSeccomp(context, at);
  yield* checkWindowsOptions(context, at);
}

/** Ports of containers in the network of the node are the node's own. */
function* checkHostPorts(spec: JsonObject, path: string): FieldErrors {
  for (const [i, container] of objectsAt(spec, 'containers').entries()) {
    for (const [j, port] of objectsAt(container, 'ports').entries()) {
      const number = integerAt(port, 'containerPort') ?? 0;
      if (number === (integerAt(port, 'hostPort') ?? 0)) continue;
      const problem = 'must match `hostPort` when `hostNetwork` is true';
      yield invalidValue(`${path}.containers[${i}].ports[${j}].containerPort`, number, problem);
    }
  }
}

const seccompTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'] as const;

function* checkSeccomp(context: JsonObject, path: string): FieldErrors {
  const profile = objectAt(context, 'seccompProfile');
  if (!profile) return;
  const at = `${path}.seccompProfile`;
  const type = stringAt(profile, 'type');
  if (type === '') yield required(`${at}.type`, 'type is required when seccompProfile is set');
  else if (!seccompTypes.some((known) => known === type)) yield notSupported(`${at}.type`, type, seccompTypes);
  const local = hasAt(profile, 'localhostProfile');
  if (type === 'Localhost') {
    if (local) yield* checkDescendingPath(`${at}.localhostProfile`, stringAt(profile, 'localhostProfile'));
    else yield required(`${at}.localhostProfile`, 'must be set when seccomp type is Localhost');
  } else if (local) {
    yield invalidValue(`${at}.localhostProfile`, profile, 'can only be set when seccomp type is Localhost');
  }
}

/** The security context of a container, at the path of the container. */
export function* checkContainerSecurity(container: JsonObject, path: string): FieldErrors {
  const context = objectAt(container, 'securityContext');
  if (!context) return;
  const at = `${path}.securityContext`;
  for (const key of ['runAsUser', 'runAsGroup']) yield* checkRange(context, key, at, userIds);
  yield* checkChoice(context, 'procMount', at, ['Default', 'Unmasked']);
  yield* checkSeccomp(context, at);
  yield* checkEscalation(context, at);
  yield* checkWindowsOptions(context, at);
}

/** What cannot be refused to a process that has everything already. */
function* checkEscalation(context: JsonObject, path: string): FieldErrors {
  if (context.allowPrivilegeEscalation !== false) return;
  const start = 'cannot set `allowPrivilegeEscalation` to false and';
  if (isTrueAt(context, 'privileged')) yield invalidValue(path, context, `${start} \`privileged\` to true`);
  for (const capability of textsAt(objectAt(context, 'capabilities'), 'add')) {
    if (capability !== 'CAP_SYS_ADMIN') continue;
    yield invalidValue(path, context, `${start} \`capabilities.Add\` CAP_SYS_ADMIN`);
  }
}
