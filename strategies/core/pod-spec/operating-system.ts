/** The operating system of a pod, and the fields that mean nothing there. */
import type { Container, PodSpec, WindowsSecurityContextOptions } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { byteLength, dns1123Subdomain } from '../../../runtime/objects/names/name-checks.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';

const systems = ['linux', 'windows'] as const;

/** Checks the system, and that no fields are set that mean nothing there. */
export function* checkOperatingSystem(spec: Draft<PodSpec>, path: string): FieldErrors {
  if (!spec.os) return;
  const { name = '' } = spec.os;
  if (name === 'linux') yield* checkLinux(spec, path);
  else if (name === 'windows') yield* checkWindows(spec, path);
  else if (name === '') yield required(`${path}.os.name`, 'cannot be empty');
  else yield notSupported(`${path}.os`, name, systems);
}

function* checkLinux(spec: Draft<PodSpec>, path: string): FieldErrors {
  const contexts = [{ context: spec.securityContext, path }];
  for (const { container, path: at } of visitContainers(spec, path)) {
    contexts.push({ context: container.securityContext, path: at });
  }
  for (const { context, path: at } of contexts) {
    if (!context?.windowsOptions) continue;
    yield forbidden(`${at}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod');
  }
}

const containerFields = [
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;

const notOnWindows = 'cannot be set for a windows pod';

function* checkWindows(spec: Draft<PodSpec>, path: string): FieldErrors {
  for (const field of linuxFields(spec)) yield forbidden(`${path}.${field}`, notOnWindows);
  for (const { container, path: at } of visitContainers(spec, path)) {
    for (const field of containerFields) {
      if (container.securityContext?.[field] === undefined) continue;
      yield forbidden(`${at}.securityContext.${field}`, notOnWindows);
    }
  }
}

/** Returns the fields that only Linux has and the pod sets, in the order of errors. */
function linuxFields(spec: Draft<PodSpec>): readonly string[] {
  const { securityContext: context = {} } = spec;
  const found: readonly (readonly [field: string, isSet: boolean])[] = [
    ['securityContext.seLinuxOptions', context.seLinuxOptions !== undefined],
    ['hostUsers', spec.hostUsers !== undefined],
    ['hostPID', spec.hostPID === true],
    ['hostIPC', spec.hostIPC === true],
    ['securityContext.seccompProfile', context.seccompProfile !== undefined],
    ['securityContext.fsGroup', context.fsGroup !== undefined],
    ['securityContext.fsGroupChangePolicy', context.fsGroupChangePolicy !== undefined],
    ['securityContext.sysctls', (context.sysctls ?? []).length > 0],
    ['shareProcessNamespace', spec.shareProcessNamespace !== undefined],
    ['securityContext.runAsUser', context.runAsUser !== undefined],
    ['securityContext.runAsGroup', context.runAsGroup !== undefined],
    ['securityContext.supplementalGroups', context.supplementalGroups !== undefined],
  ];
  return found.filter(([, isSet]) => isSet).map(([field]) => field);
}

// Windows options of containers: their user, and whether they are host processes.

const maxCredentialKiB = 64;
const maxDomain = 256;
const maxUser = 104;

export function* checkWindowsOptions(options: Draft<WindowsSecurityContextOptions> = {}, path: string): FieldErrors {
  const { gmsaCredentialSpecName, gmsaCredentialSpec: spec, runAsUserName: name } = options;
  if (gmsaCredentialSpecName !== undefined) {
    yield* checkText(`${path}.gmsaCredentialSpecName`, gmsaCredentialSpecName, dns1123Subdomain);
  }
  if (spec === '') {
    yield invalidValue(`${path}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string');
  } else if (spec !== undefined && byteLength(spec) > maxCredentialKiB * 1024) {
    const problem = `gmsaCredentialSpec size must be under ${maxCredentialKiB} KiB`;
    yield invalidValue(`${path}.gmsaCredentialSpec`, spec, problem);
  }
  if (name === undefined) return;
  for (const problem of userNameProblems(name)) yield invalidValue(`${path}.runAsUserName`, name, problem);
}

/** Checks `DOMAIN\user`, or a user alone. */
function userNameProblems(name: string): readonly string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (/\p{Cc}/u.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  return [...(parts.length === 2 ? domainProblems(parts[0] ?? '') : []), ...userProblems(user)];
}

const netBios = /^[^\\/:*?|."<>]{0,15}$/;
const dnsLabel = /^([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])$/;

function domainProblems(domain: string): readonly string[] {
  const problems: string[] = [];
  if (domain.length >= maxDomain) problems.push(`runAsUserName's Domain length must be under ${maxDomain} characters`);
  const isDns = domain.split('.').every((label) => dnsLabel.test(label));
  if (!(netBios.test(domain) && domain !== '') && !isDns) {
    problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }
  return problems;
}

function userProblems(user: string): readonly string[] {
  const problems: string[] = [];
  if (user === '') problems.push("runAsUserName's User cannot be empty");
  else if (user.length > maxUser) {
    problems.push(`runAsUserName's User length must not be longer than ${maxUser} characters`);
  }
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  return problems;
}

/** All containers of a pod are host processes or none is; host processes use the node's network. */
export function* checkHostProcesses(spec: Draft<PodSpec>, path: string): FieldErrors {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  let count = 0;
  let all = 0;
  for (const { container, path: at } of visitContainers(spec, path)) {
    const own = container.securityContext?.windowsOptions?.hostProcess;
    all++;
    if (own ?? ofPod) count++;
    if (own === undefined || ofPod === undefined || own === ofPod) continue;
    const problem = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
    yield invalidValue(`${at}.securityContext.windowsOptions.hostProcess`, own, problem);
  }
  if (count === 0) return;
  if (count !== all) {
    const problem = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    yield invalidValue(path, '', problem);
  }
  if (!spec.hostNetwork) {
    const problem = 'hostNetwork must be true if pod contains any hostProcess containers';
    yield invalidValue(`${path}.hostNetwork`, false, problem);
  }
}

/** The lists of containers in the order of visiting. */
const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const;

interface VisitedContainer {
  readonly container: Draft<Container>;
  readonly path: string;
}

/** Yields every container of a spec. */
export function* visitContainers(spec: Draft<PodSpec>, path: string): Iterable<VisitedContainer> {
  for (const list of lists) {
    for (const [i, container] of (spec[list] ?? []).entries()) yield { container, path: `${path}.${list}[${i}]` };
  }
}
