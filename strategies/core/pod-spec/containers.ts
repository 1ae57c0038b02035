/** The containers of a pod: its own, its init containers and its ephemeral containers. */
import type { Container, ContainerPort, EphemeralContainer, PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, notFoundValue, required } from '../../../runtime/objects/field-error.js';
import { dns1123Label } from '../../../runtime/objects/names/name-checks.js';
import { portName, portNumberProblems } from '../../../runtime/objects/names/network-names.js';
import type { Release } from '../../../runtime/objects/release.js';
import { checkName, checkRequired, checkRequiredOneOf, type FieldErrors } from '../../shared/field-checks.js';
import type { Serving } from '../../shared/serving.js';
import { checkEnv, checkEnvFrom } from './env.js';
import { checkLifecycle, checkProbes } from './probes.js';
import { type ClaimNames, checkResizePolicy, checkResources } from './resources.js';
import { checkInitRestart, checkRestart, isSidecar } from './restart-rules.js';
import { checkContainerSecurity } from './security-context.js';
import { checkDevices, checkMounts, type Volumes } from './volumes.js';

/** The pod of a container, and the names that it may refer to. */
export interface PodParts extends Serving {
  readonly pod: Draft<PodSpec>;
  readonly volumes: Volumes;
  readonly claims: ClaimNames;
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'] as const;
const messagePolicies = ['File', 'FallbackToLogsOnError'] as const;

/** Checks the containers that keep running. */
export function* checkContainers(spec: Draft<PodSpec>, path: string, parts: PodParts): FieldErrors {
  const containers = spec.containers ?? [];
  const list = `${path}.containers`;
  if (containers.length === 0) {
    yield required(list);
    return;
  }
  const taken = new Set<string>();
  for (const [i, container] of containers.entries()) {
    const { name = '' } = container;
    const at = `${list}[${i}]`;
    yield* checkContainer(container, at, parts);
    if (taken.has(name)) yield duplicate(`${at}.name`, name);
    taken.add(name);
    yield* checkLongRunning(container, at, parts);
    yield* checkRestart(container, at, parts.release);
  }
  yield* checkHostPortConflicts(containers, list);
}

/** Checks what only containers that keep running have. */
function* checkLongRunning(container: Draft<Container>, path: string, { pod, release }: PodParts): FieldErrors {
  yield* checkLifecycle(container.lifecycle, `${path}.lifecycle`, pod, release);
  yield* checkProbes(container, path);
}

/** Checks what containers of all kinds share. */
function* checkContainer(container: Draft<Container>, path: string, parts: PodParts): FieldErrors {
  const { release, pod } = parts;
  yield* checkName(`${path}.name`, container.name ?? '', dns1123Label);
  yield* checkRequired(container.image, `${path}.image`);
  yield* checkRequiredOneOf(container.terminationMessagePolicy, `${path}.terminationMessagePolicy`, messagePolicies);
  yield* checkPorts(container.ports, `${path}.ports`);
  yield* checkEnv(container.env, `${path}.env`, release);
  yield* checkEnvFrom(container.envFrom, `${path}.envFrom`, release);
  yield* checkMounts(container, parts.volumes, path);
  yield* checkDevices(container, parts.volumes, path);
  yield* checkRequiredOneOf(container.imagePullPolicy, `${path}.imagePullPolicy`, pullPolicies);
  yield* checkResources(container.resources ?? {}, `${path}.resources`, parts.names, parts.claims);
  yield* checkResizePolicy(container.resizePolicy, `${path}.resizePolicy`, pod, release);
  yield* checkContainerSecurity(container.securityContext, `${path}.securityContext`, pod, release);
}

/** Fields that init containers must not have. */
const notInInit = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Checks the init containers: they end before the others start, unless they are sidecars. */
export function* checkInitContainers(spec: Draft<PodSpec>, path: string, parts: PodParts): FieldErrors {
  const list = `${path}.initContainers`;
  const taken = new Set(namesOf(spec.containers));
  for (const [i, container] of (spec.initContainers ?? []).entries()) {
    const { name = '' } = container;
    const at = `${list}[${i}]`;
    yield* checkContainer(container, at, parts);
    yield* checkInitRestart(container, at, parts.release);
    if (taken.has(name)) yield duplicate(`${at}.name`, name);
    else if (name !== '') taken.add(name);
    // Only ports of the same container can clash; the first place in the list gets the error.
    yield* checkHostPortConflicts([container], list);
    if (isSidecar(container)) yield* checkLongRunning(container, at, parts);
    else yield* checkEnding(container, at, parts.release);
    yield* checkInitResize(container, at, parts.release);
  }
}

/** An init container that ends has none of the fields for containers that keep running. */
function* checkEnding(container: Draft<Container>, path: string, release: Release): FieldErrors {
  const unless = release.does('sidecars') ? ' without restartPolicy=Always' : '';
  for (const field of notInInit) {
    if (container[field]) yield forbidden(`${path}.${field}`, `may not be set for init containers${unless}`);
  }
}

/** An init container that ends is not started again to change its resources. */
function* checkInitResize(container: Draft<Container>, path: string, release: Release): FieldErrors {
  const { resizePolicy: policies = [] } = container;
  if (policies.length > 0 && !release.does('podsResize')) {
    yield invalidValue(`${path}.resizePolicy`, policies, 'must not be set for init containers');
  }
  if (isSidecar(container) || !release.does('initContainersResize')) return;
  const problem = "must not be set to 'RestartContainer' for non-sidecar initContainers";
  for (const [i, { restartPolicy = '' }] of policies.entries()) {
    if (restartPolicy !== 'RestartContainer') continue;
    yield invalidValue(`${path}.resizePolicy[${i}].restartPolicy`, restartPolicy, problem);
  }
}

const namesOf = (containers: readonly Draft<Container>[] | null = []): readonly string[] =>
  (containers ?? []).map(({ name = '' }) => name);

/** Fields that ephemeral containers must not have. */
const notInEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'restartPolicy',
  'restartPolicyRules',
] as const;

/** Checks the ephemeral containers, which are added to a running pod for debugging. */
export function* checkEphemeralContainers(spec: Draft<PodSpec>, path: string, parts: PodParts): FieldErrors {
  const targets = new Set([...namesOf(spec.containers), ...namesOf(spec.initContainers)]);
  const taken = new Set(targets);
  for (const [i, container] of (spec.ephemeralContainers ?? []).entries()) {
    const { name = '', targetContainerName: target = '' } = container;
    const at = `${path}.ephemeralContainers[${i}]`;
    yield* checkContainer(container, at, parts);
    yield* checkImageSpace(container, at);
    if (taken.has(name)) yield duplicate(`${at}.name`, name);
    taken.add(name);
    if (target !== '' && !targets.has(target)) yield notFoundValue(`${at}.targetContainerName`, target);
    yield* checkNothingElse(container, at);
  }
}

function* checkNothingElse(container: Draft<EphemeralContainer>, path: string): FieldErrors {
  const problem = 'cannot be set for an Ephemeral Container';
  for (const field of notInEphemeral) {
    const value = container[field];
    // Resources are always present, and empty if none are requested.
    const isEmpty = value === undefined || (field === 'resources' && Object.keys(value).length === 0);
    if (!isEmpty) yield forbidden(`${path}.${field}`, problem);
  }
  for (const [i, mount] of (container.volumeMounts ?? []).entries()) {
    const at = `${path}.volumeMounts[${i}]`;
    if (mount.subPath) yield forbidden(`${at}.subPath`, problem);
    if (mount.subPathExpr) yield forbidden(`${at}.subPathExpr`, problem);
  }
}

/** Images of pods have no blanks around their names; images of templates may have them. */
export function* checkImageSpace({ image = '' }: Draft<Container>, path: string): FieldErrors {
  if (image.trim() === image) return;
  yield invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace');
}

const protocols = ['SCTP', 'TCP', 'UDP'] as const;

/** Checks the ports of one container. */
function* checkPorts(ports: readonly Draft<ContainerPort>[] = [], path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, port] of ports.entries()) {
    const at = `${path}[${i}]`;
    yield* checkPortName(port.name ?? '', `${at}.name`, seen);
    if (!port.containerPort) yield required(`${at}.containerPort`);
    yield* checkNumber(port.containerPort, `${at}.containerPort`);
    yield* checkNumber(port.hostPort, `${at}.hostPort`);
    yield* checkRequiredOneOf(port.protocol, `${at}.protocol`, protocols);
  }
}

function* checkPortName(name: string, path: string, seen: Set<string>): FieldErrors {
  if (name === '') return;
  const problems = portName(name);
  for (const problem of problems) yield invalidValue(path, name, problem);
  if (problems.length > 0) return;
  if (seen.has(name)) yield duplicate(path, name);
  seen.add(name);
}

/** A port is a valid number; zero means none. */
function* checkNumber(port = 0, path: string): FieldErrors {
  if (port === 0) return;
  for (const problem of portNumberProblems(port)) yield invalidValue(path, port, problem);
}

/** No two containers use the same port of the node. */
function* checkHostPortConflicts(containers: readonly Draft<Container>[], path: string): FieldErrors {
  const taken = new Set<string>();
  for (const [i, { ports = [] }] of containers.entries()) {
    for (const [j, { hostPort = 0, protocol = '', hostIP = '' }] of ports.entries()) {
      if (hostPort === 0) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) yield duplicate(`${path}[${i}].ports[${j}].hostPort`, key);
      taken.add(key);
    }
  }
}
