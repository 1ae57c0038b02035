/** Rules for the containers of a pod: its own, its init containers and its ephemeral containers. */
import type { Container, EphemeralContainer, PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, notFoundValue, required } from '../../../runtime/objects/field-error.js';
import { dns1123Label } from '../../../runtime/objects/names/dns-names.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { checkName, checkRequired, checkRequiredOneOf, type FieldErrors } from '../../shared/field-checks.js';
import { checkHostPortConflicts, checkPorts } from './container-ports.js';
import { checkEnv, checkEnvFrom } from './env.js';
import { checkDevices, checkMounts, type Volumes } from './mounts.js';
import { checkLifecycle, checkProbes } from './probes.js';
import { type ClaimNames, checkResizePolicy, checkResources } from './resources.js';
import { checkContainerSecurity } from './security-context.js';

/** The parts of a pod that its containers may refer to. */
export interface PodParts {
  readonly names: Naming;
  readonly volumes: Volumes;
  readonly claims: ClaimNames;
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'] as const;
const messagePolicies = ['File', 'FallbackToLogsOnError'] as const;

/** The rules that containers of all kinds share. */
function* checkContainer(container: Draft<Container>, path: string, parts: PodParts): FieldErrors {
  yield* checkName(`${path}.name`, container.name ?? '', dns1123Label);
  yield* checkRequired(container.image, `${path}.image`);
  yield* checkRequiredOneOf(container.terminationMessagePolicy, `${path}.terminationMessagePolicy`, messagePolicies);
  yield* checkPorts(container.ports, `${path}.ports`);
  yield* checkEnv(container.env, `${path}.env`);
  yield* checkEnvFrom(container.envFrom, `${path}.envFrom`);
  yield* checkMounts(container, parts.volumes, path);
  yield* checkDevices(container, parts.volumes, path);
  yield* checkRequiredOneOf(container.imagePullPolicy, `${path}.imagePullPolicy`, pullPolicies);
  yield* checkResources(container.resources ?? {}, `${path}.resources`, parts.names, parts.claims);
  yield* checkResizePolicy(container.resizePolicy, `${path}.resizePolicy`);
  yield* checkContainerSecurity(container.securityContext, `${path}.securityContext`);
}

/** The containers that run, at the path of the spec. */
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
    yield* checkLifecycle(container.lifecycle, `${at}.lifecycle`);
    yield* checkProbes(container, at);
  }
  yield* checkHostPortConflicts(containers, list);
}

/** Fields that only containers have that keep running. */
const notInInit = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** The containers that run before the others, at the path of the spec. */
export function* checkInitContainers(spec: Draft<PodSpec>, path: string, parts: PodParts): FieldErrors {
  const list = `${path}.initContainers`;
  const taken = new Set(namesOf(spec.containers));
  for (const [i, container] of (spec.initContainers ?? []).entries()) {
    const { name = '', resizePolicy = [] } = container;
    const at = `${list}[${i}]`;
    yield* checkContainer(container, at, parts);
    if (taken.has(name)) yield duplicate(`${at}.name`, name);
    else if (name !== '') taken.add(name);
    // Only ports of the same container can clash, and the first place of the list is blamed for them.
    yield* checkHostPortConflicts([container], list);
    for (const field of notInInit) {
      if (container[field]) yield forbidden(`${at}.${field}`, 'may not be set for init containers');
    }
    if (resizePolicy.length > 0) {
      yield invalidValue(`${at}.resizePolicy`, resizePolicy, 'must not be set for init containers');
    }
  }
}

const namesOf = (containers: readonly Draft<Container>[] | null = []): readonly string[] =>
  (containers ?? []).map(({ name = '' }) => name);

/** Fields that ephemeral containers do not have. */
const notInEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** The containers that are added to a running pod to look into it, at the path of the spec. */
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
    // Resources are always there, and empty where none are asked for.
    const isEmpty = value === undefined || (field === 'resources' && Object.keys(value).length === 0);
    if (!isEmpty) yield forbidden(`${path}.${field}`, problem);
  }
  for (const [i, mount] of (container.volumeMounts ?? []).entries()) {
    const at = `${path}.volumeMounts[${i}]`;
    if (mount.subPath) yield forbidden(`${at}.subPath`, problem);
    if (mount.subPathExpr) yield forbidden(`${at}.subPathExpr`, problem);
  }
}

/** Pods, other than templates, refuse images with space around their names. */
export function* checkImageSpace({ image = '' }: Draft<Container>, path: string): FieldErrors {
  if (image.trim() === image) return;
  yield invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace');
}
