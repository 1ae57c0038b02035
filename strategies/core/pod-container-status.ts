/** The status of the containers of a pod: whether one may start again, its user, and its devices. */
import type { Pod } from '../../generated/core/v1/pods/types.js';
import type {
  Container,
  ContainerRestartRule,
  ContainerStatus,
  PodSpec,
  PodStatus,
  ResourceHealth,
} from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject } from '../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, notSupported } from '../../runtime/objects/field-error.js';
import type { Release } from '../../runtime/objects/release.js';
import { checkBetween, type FieldErrors, userIds } from '../shared/field-checks.js';

type Containers = readonly Draft<Container>[];
type Statuses = readonly Draft<ContainerStatus>[];

/** Each list of statuses, and the containers that it is about. */
const lists = [
  ['containerStatuses', 'containers'],
  ['initContainerStatuses', 'initContainers'],
] as const;
const ephemeral = 'ephemeralContainerStatuses';

/** Checks that a container that has ended for good does not start again. */
export function* checkRestarts(status: Draft<PodStatus>, old: DraftObject<Pod>, release: Release): FieldErrors {
  for (const [list, kind] of lists) {
    const restarts = restartsOf(old.spec?.[kind] ?? [], old.spec?.restartPolicy, release);
    yield* checkEnded(status[list], old.status?.[list], `status.${list}`, restarts);
  }
  // Ephemeral containers never restart.
  yield* checkEnded(status[ephemeral], old.status?.[ephemeral], `status.${ephemeral}`, () => false);
}

/** Returns whether a container may start again after it has ended with an exit code. */
type Restarts = (name: string, exitCode: number) => boolean;

/** The rules of a container decide, then its own policy, then the policy of the pod. */
function restartsOf(containers: Containers, ofPod: string | undefined, release: Release): Restarts {
  const byName = new Map(containers.map((one) => [one.name ?? '', one] as const));
  const hasRules = release.does('containersRestartAlone');
  return (name, exitCode) => {
    const container = byName.get(name);
    if (hasRules && !container) return false;
    const { restartPolicy = ofPod, restartPolicyRules: rules = [] } = container ?? {};
    if (hasRules && rules.some((rule) => applies(rule, exitCode))) return true;
    return restartPolicy === 'Always' || (restartPolicy === 'OnFailure' && exitCode !== 0);
  };
}

const applies = ({ exitCodes: { operator, values = [] } = {} }: Draft<ContainerRestartRule>, exitCode: number) =>
  (operator === 'In' && values.includes(exitCode)) || (operator === 'NotIn' && !values.includes(exitCode));

function* checkEnded(statuses: Statuses = [], old: Statuses = [], path: string, restarts: Restarts): FieldErrors {
  const running = new Set(statuses.filter(({ state }) => !state?.terminated).map(({ name = '' }) => name));
  for (const [i, { name = '', state }] of old.entries()) {
    const end = state?.terminated;
    if (!end || !running.has(name) || restarts(name, end.exitCode ?? 0)) continue;
    yield forbidden(`${path}[${i}].state`, 'may not be transitioned to non-terminated state');
  }
}

/** Checks the users and the devices of containers. */
export function* checkUsersAndDevices(status: Draft<PodStatus>, spec: Draft<PodSpec>): FieldErrors {
  const system = spec.os?.name ?? 'linux';
  for (const list of ['containerStatuses', 'initContainerStatuses', ephemeral] as const) {
    yield* checkUsers(status[list], `status.${list}`, system);
  }
  for (const [list, kind] of lists) yield* checkResources(status[list], `status.${list}`, spec[kind] ?? []);
  for (const [i, { allocatedResourcesStatus: resources = [] }] of (status[ephemeral] ?? []).entries()) {
    const at = `status.${ephemeral}[${i}].allocatedResourcesStatus`;
    if (resources.length > 0) yield forbidden(at, 'must not be specified in container status');
  }
}

function* checkUsers(statuses: Statuses = [], path: string, system: string): FieldErrors {
  for (const [i, { user }] of statuses.entries()) {
    const at = `${path}[${i}].user.linux`;
    if (!user?.linux) continue;
    if (system === 'windows') yield forbidden(at, 'cannot be set for a windows pod');
    if (system !== 'linux') continue;
    const { uid, gid, supplementalGroups = [] } = user.linux;
    yield* checkBetween(uid, `${at}.uid`, userIds);
    yield* checkBetween(gid, `${at}.gid`, userIds);
    for (const [j, group] of supplementalGroups.entries()) {
      yield* checkBetween(group, `${at}.supplementalGroups[${j}]`, userIds);
    }
  }
}

/** The devices of a container are listed under a resource that it requests. Containers that the pod lacks may have any. */
function* checkResources(statuses: Statuses = [], path: string, containers: Containers): FieldErrors {
  for (const [i, { name: containerName, allocatedResourcesStatus: resources = [] }] of statuses.entries()) {
    const container = containers.find(({ name }) => name === containerName);
    for (const [j, { name = '', resources: devices }] of resources.entries()) {
      const at = `${path}[${i}].allocatedResourcesStatus[${j}]`;
      if (container) yield* checkRequested(name, container, `${at}.name`);
      yield* checkDevices(devices, `${at}.resources`);
    }
  }
}

function* checkRequested(name: string, { resources = {} }: Draft<Container>, path: string): FieldErrors {
  if (!name.startsWith('claim:')) {
    if (Object.hasOwn(resources.requests ?? {}, name)) return;
    yield invalidValue(path, name, "must match one of the container's resource requests");
    return;
  }
  const claims = (resources.claims ?? []).map((one) => `claim:${one.name}${one.request ? `/${one.request}` : ''}`);
  if (claims.includes(name)) return;
  const forms = "'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty";
  yield invalidValue(path, name, `must match one of the container's resource claims in a format ${forms}`);
}

const healths = ['Healthy', 'Unhealthy', 'Unknown'];

function* checkDevices(devices: readonly Draft<ResourceHealth>[] = [], path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, { resourceID = '', health = '' }] of devices.entries()) {
    if (!healths.includes(health)) yield notSupported(`${path}[${i}].health`, health, healths);
    if (seen.has(resourceID)) yield duplicate(`${path}[${i}].resourceID`, resourceID);
    seen.add(resourceID);
  }
}
