/** The security contexts of pods and containers. */
import type { PodSpec, SeccompProfile, SecurityContext, Sysctl } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import type { Release } from '../../../runtime/objects/release.js';
import { checkBetween, checkOneOf, type FieldErrors, userIds } from '../../shared/field-checks.js';
import { checkDescendingPath } from '../../shared/names.js';
import { checkAppArmor } from './app-armor.js';
import { checkWindowsOptions } from './operating-system.js';

/** Checks the security context of a pod. */
export function* checkPodSecurity(spec: Draft<PodSpec>, path: string, release: Release): FieldErrors {
  const { securityContext: context = {} } = spec;
  const at = `${path}.securityContext`;
  if (spec.hostNetwork && !release.does('hostPortsOfPodsOnly')) yield* checkHostPorts(spec, path);
  for (const field of ['fsGroup', 'runAsUser', 'runAsGroup'] as const)
    yield* checkBetween(context[field], `${at}.${field}`, userIds);
  for (const [i, group] of (context.supplementalGroups ?? []).entries()) {
    yield* checkBetween(group, `${at}.supplementalGroups[${i}]`, userIds);
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    const problem = 'ShareProcessNamespace and HostPID cannot both be enabled';
    yield invalidValue(`${at}.shareProcessNamespace`, true, problem);
  }
  yield* checkSysctls(spec, `${at}.sysctls`, release);
  yield* checkOneOf(context.fsGroupChangePolicy, `${at}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch']);
  yield* checkSeccomp(context.seccompProfile, `${at}.seccompProfile`);
  yield* checkWindowsOptions(context.windowsOptions, `${at}.windowsOptions`);
  yield* checkAppArmor(context.appArmorProfile, `${at}.appArmorProfile`);
  // Labels by mount options need a gate that is off by default.
  yield* checkOneOf(context.seLinuxChangePolicy, `${at}.seLinuxChangePolicy`, ['Recursive']);
}

/** On the node's network, container ports are ports of the node. */
function* checkHostPorts(spec: Draft<PodSpec>, path: string): FieldErrors {
  for (const [i, { ports = [] }] of (spec.containers ?? []).entries()) {
    for (const [j, { containerPort = 0, hostPort = 0 }] of ports.entries()) {
      if (containerPort === hostPort) continue;
      const problem = 'must match `hostPort` when `hostNetwork` is true';
      yield invalidValue(`${path}.containers[${i}].ports[${j}].containerPort`, containerPort, problem);
    }
  }
}

const seccompTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'] as const;

function* checkSeccomp(profile: Draft<SeccompProfile> | undefined, path: string): FieldErrors {
  if (!profile) return;
  const { type = '', localhostProfile } = profile;
  if (type === '') yield required(`${path}.type`, 'type is required when seccompProfile is set');
  else if (!seccompTypes.some((known) => known === type)) yield notSupported(`${path}.type`, type, seccompTypes);
  if (type === 'Localhost') {
    if (localhostProfile !== undefined) yield* checkDescendingPath(`${path}.localhostProfile`, localhostProfile);
    else yield required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost');
  } else if (localhostProfile !== undefined) {
    yield invalidValue(`${path}.localhostProfile`, profile, 'can only be set when seccomp type is Localhost');
  }
}

/** Checks the security context of a container. */
export function* checkContainerSecurity(
  context: Draft<SecurityContext> | undefined,
  path: string,
  { hostUsers = true }: Draft<PodSpec>,
  release: Release,
): FieldErrors {
  if (!context) return;
  for (const field of ['runAsUser', 'runAsGroup'] as const)
    yield* checkBetween(context[field], `${path}.${field}`, userIds);
  yield* checkOneOf(context.procMount, `${path}.procMount`, ['Default', 'Unmasked']);
  if (context.procMount === 'Unmasked' && hostUsers && release.does('unmaskedForOwnUsers')) {
    yield invalidValue(`${path}.procMount`, context.procMount, '`hostUsers` must be false to use `Unmasked`');
  }
  yield* checkSeccomp(context.seccompProfile, `${path}.seccompProfile`);
  yield* checkEscalation(context, path);
  yield* checkWindowsOptions(context.windowsOptions, `${path}.windowsOptions`);
  yield* checkAppArmor(context.appArmorProfile, `${path}.appArmorProfile`);
}

/** A privileged process cannot be kept from gaining privileges. */
function* checkEscalation(context: Draft<SecurityContext>, path: string): FieldErrors {
  if (context.allowPrivilegeEscalation !== false) return;
  const start = 'cannot set `allowPrivilegeEscalation` to false and';
  if (context.privileged) yield invalidValue(path, context, `${start} \`privileged\` to true`);
  for (const capability of context.capabilities?.add ?? []) {
    if (capability !== 'CAP_SYS_ADMIN') continue;
    yield invalidValue(path, context, `${start} \`capabilities.Add\` CAP_SYS_ADMIN`);
  }
}

const segment = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?';
const source = `(${segment}[\\./])*${segment}`;
// The same names, tested part by part to take linear time.
const segments = new RegExp(`^${segment}$`);
const maxLength = 253;

/** Checks kernel parameters. */
function* checkSysctls(spec: Draft<PodSpec>, path: string, release: Release): FieldErrors {
  const sysctls: readonly Draft<Sysctl>[] = spec.securityContext?.sysctls ?? [];
  const seen = new Set<string>();
  for (const [i, sysctl] of sysctls.entries()) {
    const at = `${path}[${i}].name`;
    const name = withDots(sysctl.name ?? '');
    if (name === '') yield required(at);
    else if (name.length > maxLength || !name.split(/[./]/).every((part) => segments.test(part))) {
      yield invalidValue(at, name, `must have at most ${maxLength} characters and match regex ^${source}$`);
    } else if (seen.has(name)) yield duplicate(at, name);
    if (release.does('sysctlsOfNodeRefused')) yield* checkOfNode(name, at, spec);
    seen.add(name);
  }
}

const ofIpc = ['kernel.shm', 'kernel.msg', 'kernel.sem', 'fs.mqueue.'] as const;

/** A pod that shares a namespace of its node does not change the parameters of that namespace. */
function* checkOfNode(name: string, path: string, { hostNetwork, hostIPC }: Draft<PodSpec>): FieldErrors {
  if (hostNetwork && name.startsWith('net.')) {
    yield invalidValue(path, name, "may not be specified when 'hostNetwork' is true");
  } else if (hostIPC && ofIpc.some((prefix) => name.startsWith(prefix))) {
    yield invalidValue(path, name, "may not be specified when 'hostIPC' is true");
  }
}

/** Returns a sysctl name with dots between its parts. In a name with slashes, dots and slashes are swapped. */
function withDots(name: string): string {
  const first = /[./]/.exec(name)?.[0];
  if (first !== '/') return name;
  return name.replace(/[./]/g, (separator) => (separator === '/' ? '.' : '/'));
}
