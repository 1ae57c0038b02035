/** What a pod may not say once it says which operating system it is for. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { forbidden, notSupported, required } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { hasAt, isTrueAt, listAt } from '../../shared/reading.js';
import { visitContainers } from './visit-containers.js';

const systems = ['linux', 'windows'] as const;

/** The system of a spec at a path, and the fields that mean nothing there. */
export function* checkOperatingSystem(spec: JsonObject, path: string): FieldErrors {
  const os = objectAt(spec, 'os');
  if (!os) return;
  const name = stringAt(os, 'name');
  if (name === 'linux') yield* checkLinux(spec, path);
  else if (name === 'windows') yield* checkWindows(spec, path);
  else if (name === '') yield required(`${path}.os.name`, 'cannot be empty');
  else yield notSupported(`${path}.os`, name, systems);
}

function* checkLinux(spec: JsonObject, path: string): FieldErrors {
  const holders = [{ container: spec, path }, ...visitContainers(spec, path)];
  for (const { container, path: at } of holders) {
    const options = objectAt(container, 'securityContext');
    if (!options || !hasAt(options, 'windowsOptions')) continue;
    yield forbidden(`${at}.securityContext.windowsOptions`, 'windows options cannot be set for a linux pod');
  }
}

const ofContainers = [
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

function* checkWindows(spec: JsonObject, path: string): FieldErrors {
  for (const at of linuxFields(spec)) yield forbidden(`${path}.${at}`, notOnWindows);
  for (const { container, path: at } of visitContainers(spec, path)) {
    const context = objectAt(container, 'securityContext') ?? {};
    for (const key of ofContainers) {
      if (hasAt(context, key)) yield forbidden(`${at}.securityContext.${key}`, notOnWindows);
    }
  }
}

/** Fields of a pod that only Linux knows, in the order in which they are told. */
function linuxFields(spec: JsonObject): readonly string[] {
  const context = objectAt(spec, 'securityContext') ?? {};
  const own = (key: string): boolean => hasAt(context, key);
  const found: readonly (readonly [field: string, set: boolean])[] = [
    ['securityContext.seLinuxOptions', own('seLinuxOptions')],
    ['hostUsers', hasAt(spec, 'hostUsers')],
    ['hostPID', isTrueAt(spec, 'hostPID')],
    ['hostIPC', isTrueAt(spec, 'hostIPC')],
    ['securityContext.seccompProfile', own('seccompProfile')],
    ['securityContext.fsGroup', own('fsGroup')],
    ['securityContext.fsGroupChangePolicy', own('fsGroupChangePolicy')],
    ['securityContext.sysctls', listAt(context, 'sysctls').length > 0],
    ['shareProcessNamespace', hasAt(spec, 'shareProcessNamespace')],
    ['securityContext.runAsUser', own('runAsUser')],
    ['securityContext.runAsGroup', own('runAsGroup')],
    ['securityContext.supplementalGroups', own('supplementalGroups')],
  ];
  return found.filter(([, set]) => set).map(([field]) => field);
}
