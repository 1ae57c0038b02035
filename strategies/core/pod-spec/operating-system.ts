/** Rules for the operating system of a pod, and for the fields that have no meaning there. */
import type { PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, notSupported, required } from '../../../runtime/objects/field-error.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { visitContainers } from './visit-containers.js';

const systems = ['linux', 'windows'] as const;

/** The system of a spec at a path, and the fields that mean nothing there. */
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

/** The fields of a pod that are set and that only Linux has, in the order in which they are reported. */
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
