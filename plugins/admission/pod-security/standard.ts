/** Checks pods against a policy: a level of pod security in one of its versions. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { isInteger, objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { byCodePoint } from '../../../runtime/objects/printing.js';
import {
  type Check,
  type Control,
  containersText,
  counted,
  distinct,
  type JudgedPod,
  quoted,
  settersText,
  unlessOnWindows,
  type Violation,
} from './control.js';
import { capabilityControls, kernelControls, seccompControls } from './controls.js';
import { type Level, newestVersion, type Policy, type Version } from './policies.js';

export type Judge = (policy: Policy, pod: JudgedPod) => readonly Violation[];

export function defineJudge(names: Naming): Judge {
  const known = new Map<string, readonly Check[]>();
  const checksFor = ({ level, version }: Policy): readonly Check[] => {
    const key = `${level} ${Math.min(version, newestVersion)}`;
    const checks = known.get(key) ?? checksOf(level, version);
    known.set(key, checks);
    return checks;
  };
  return (policy, pod) => checksFor(policy).flatMap((check) => check(pod, names) ?? []);
}

/** Returns the checks of a level in a version. A control that is newer than the version replaces nothing. */
function checksOf(level: Level, version: Version): readonly Check[] {
  if (level === 'privileged') return [];
  const there = controls.flatMap((control) => {
    if (level === 'baseline' && control.level === 'restricted') return [];
    const found = control.versions.findLast(({ since }) => since <= version);
    return found ? [{ control, check: found.check }] : [];
  });
  const replaced = new Set(there.map(({ control }) => control.replaces));
  return there.filter(({ control }) => !replaced.has(control.id)).map(({ check }) => check);
}

// Checks volumes: no files of the node; at the restricted level, only types that need no rights.

const volumesText = (volumes: readonly JsonObject[]): string =>
  `${counted('volume', 'volumes', volumes.length)} ${quoted(volumes.map((volume) => stringAt(volume, 'name')))}`;

const checkHostPaths: Check = ({ spec }) => {
  const ofHost = objectsAt(spec, 'volumes').filter((volume) => objectAt(volume, 'hostPath'));
  return ofHost.length === 0 ? undefined : { reason: 'hostPath volumes', detail: volumesText(ofHost) };
};

const harmless = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/** Returns the type of a volume that the restricted level forbids. A volume has the field of one type, and its name. */
function restrictedType(volume: JsonObject): string | undefined {
  const types = Object.keys(volume).filter((key) => key !== 'name' && volume[key] !== undefined);
  return types.some((type) => harmless.has(type)) ? undefined : (types[0] ?? 'unknown');
}

const checkTypes: Check = ({ spec }) => {
  const restricted = objectsAt(spec, 'volumes').filter((volume) => restrictedType(volume) !== undefined);
  if (restricted.length === 0) return undefined;
  const types = distinct(restricted.map((volume) => restrictedType(volume) ?? ''));
  const verb = counted('uses', 'use', restricted.length);
  const noun = counted('restricted volume type', 'restricted volume types', types.length);
  return { reason: 'restricted volume types', detail: `${volumesText(restricted)} ${verb} ${noun} ${quoted(types)}` };
};

const volumeControls: readonly Control[] = [
  { id: 'hostPathVolumes', level: 'baseline', versions: [{ since: 0, check: checkHostPaths }] },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    replaces: 'hostPathVolumes',
    versions: [{ since: 0, check: checkTypes }],
  },
];

/** Checks the node's namespaces for networks, processes and shared memory. */
const checkNamespaces: Check = ({ spec }) => {
  const shared = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: 'host namespaces', detail: shared.map((field) => `${field}=true`).join(', ') };
};

const hostPorts = (container: JsonObject): readonly string[] =>
  objectsAt(container, 'ports').flatMap(({ hostPort }) =>
    isInteger(hostPort) && Number(hostPort) !== 0 ? [String(hostPort)] : [],
  );

const checkPorts: Check = ({ containers }) => {
  const using = containers.filter(({ spec }) => hostPorts(spec).length > 0);
  if (using.length === 0) return undefined;
  const ports = distinct(using.flatMap(({ spec }) => hostPorts(spec)));
  const verb = counted('uses', 'use', using.length);
  const noun = counted('hostPort', 'hostPorts', ports.length);
  return { reason: 'hostPort', detail: `${containersText(using)} ${verb} ${noun} ${ports.join(', ')}` };
};

const isHostProcess = (securityContext: JsonObject | undefined): boolean =>
  objectAt(securityContext, 'windowsOptions')?.hostProcess === true;

/** Checks host processes, which exist only on Windows. */
const checkProcesses: Check = ({ securityContext, containers }) => {
  const setting = containers.filter((container) => isHostProcess(container.securityContext));
  const setters = settersText(isHostProcess(securityContext), setting);
  if (setters === '') return undefined;
  return { reason: 'hostProcess', detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
};

const hostControls: readonly Control[] = [
  { id: 'hostNamespaces', level: 'baseline', versions: [{ since: 0, check: checkNamespaces }] },
  { id: 'hostPorts', level: 'baseline', versions: [{ since: 0, check: checkPorts }] },
  { id: 'windowsHostProcess', level: 'baseline', versions: [{ since: 0, check: checkProcesses }] },
];

/** Checks that containers do not run as root. Each container sets this itself, or the pod sets it for all. */
const checkNonRoot: Check = ({ securityContext, containers }) => {
  const reason = 'runAsNonRoot != true';
  const ofPod = securityContext?.runAsNonRoot;
  const refusing = containers.filter((container) => container.securityContext?.runAsNonRoot === false);
  const setters = settersText(ofPod === false, refusing);
  if (setters !== '') return { reason, detail: `${setters} must not set securityContext.runAsNonRoot=false` };
  const silent = containers.filter((container) => typeof container.securityContext?.runAsNonRoot !== 'boolean');
  if (ofPod === true || silent.length === 0) return undefined;
  return { reason, detail: `pod or ${containersText(silent)} must set securityContext.runAsNonRoot=true` };
};

const isRoot = (securityContext: JsonObject | undefined): boolean => {
  const user = securityContext?.runAsUser;
  return isInteger(user) && Number(user) === 0;
};

const checkUser: Check = ({ securityContext, containers }) => {
  const asRoot = containers.filter((container) => isRoot(container.securityContext));
  const setters = settersText(isRoot(securityContext), asRoot);
  return setters === '' ? undefined : { reason: 'runAsUser=0', detail: `${setters} must not set runAsUser=0` };
};

const userControls: readonly Control[] = [
  { id: 'runAsNonRoot', level: 'restricted', versions: [{ since: 0, check: checkNonRoot }] },
  { id: 'runAsUser', level: 'restricted', versions: [{ since: 23, check: checkUser }] },
];

// Privileges: no privileged containers; at the restricted level, no privilege escalation.

const checkPrivileged: Check = ({ containers }) => {
  const privileged = containers.filter(({ securityContext }) => securityContext?.privileged === true);
  if (privileged.length === 0) return undefined;
  const detail = `${containersText(privileged)} must not set securityContext.privileged=true`;
  return { reason: 'privileged', detail };
};

/** Checks that containers cannot gain privileges, for example by setuid files. */
const checkEscalation: Check = ({ containers }) => {
  const able = containers.filter(({ securityContext }) => securityContext?.allowPrivilegeEscalation !== false);
  if (able.length === 0) return undefined;
  const detail = `${containersText(able)} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
};

const privilegeControls: readonly Control[] = [
  { id: 'privileged', level: 'baseline', versions: [{ since: 0, check: checkPrivileged }] },
  {
    id: 'allowPrivilegeEscalation',
    level: 'restricted',
    versions: [
      // The release that introduced the field.
      { since: 8, check: checkEscalation },
      { since: 25, check: unlessOnWindows(checkEscalation) },
    ],
  },
];

/** All controls: the baseline level first, then by name, which is their order in messages. */
export const controls: readonly Control[] = [
  ...capabilityControls,
  ...hostControls,
  ...kernelControls,
  ...privilegeControls,
  ...seccompControls,
  ...userControls,
  ...volumeControls,
].sort((a, b) => byCodePoint(a.level + a.id, b.level + b.id));

/** Returns violations as in `host namespaces (hostPID=true), privileged (…)`. */
export const violationsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason, detail }) => `${reason} (${detail})`).join(', ');

/** Returns the reasons as in `host namespaces, privileged`. */
export const reasonsText = (violations: readonly Violation[]): string =>
  violations.map(({ reason }) => reason).join(', ');
