/** The containers of a pod: those that run, those that go before them, and those that look into them. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Label } from '../../../runtime/objects/dns-names.js';
import {
  duplicate,
  forbidden,
  invalidValue,
  notFoundValue,
  notSupported,
  required,
} from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { checkName, checkRequiredChoice, type FieldErrors } from '../../shared/field-checks.js';
import { hasAt, listAt, objectsAt } from '../../shared/reading.js';
import { checkHostPortConflicts, checkPorts } from './container-ports.js';
import { checkEnv, checkEnvFrom } from './env.js';
import { checkDevices, checkMounts, type Volumes } from './mounts.js';
import { checkLifecycle, checkProbes } from './probes.js';
import { type ClaimNames, checkResizePolicy, checkResources } from './resources.js';
import { checkContainerSecurity } from './security-context.js';

/** What containers may refer to. */
export interface PodParts {
  readonly names: Naming;
  readonly volumes: Volumes;
  readonly claims: ClaimNames;
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'] as const;
const messagePolicies = ['File', 'FallbackToLogsOnError'] as const;

/** What containers of all kinds keep to. */
function* checkContainer(container: JsonObject, path: string, parts: PodParts): FieldErrors {
  yield* checkName(`${path}.name`, stringAt(container, 'name'), dns1123Label);
  if (stringAt(container, 'image') === '') yield required(`${path}.image`);
  const policy = stringAt(container, 'terminationMessagePolicy');
  if (policy === '') yield required(`${path}.terminationMessagePolicy`);
  else if (!messagePolicies.some((known) => known === policy)) {
    yield notSupported(`${path}.terminationMessagePolicy`, policy, messagePolicies);
  }
  yield* checkPorts(container, `${path}.ports`);
  yield* checkEnv(container, `${path}.env`);
  yield* checkEnvFrom(container, `${path}.envFrom`);
  yield* checkMounts(container, parts.volumes, path);
  yield* checkDevices(container, parts.volumes, path);
  yield* checkRequiredChoice(container, 'imagePullPolicy', path, pullPolicies);
  yield* checkResources(objectAt(container, 'resources') ?? {}, `${path}.resources`, parts.names, parts.claims);
  yield* checkResizePolicy(container, `${path}.resizePolicy`);
  yield* checkContainerSecurity(container, path);
}

/** The containers that run, at the path of the spec. */
export function* checkContainers(spec: JsonObject, path: string, parts: PodParts): FieldErrors {
  const list = `${path}.containers`;
  const containers = objectsAt(spec, 'containers');
  if (containers.length === 0) {
    yield required(list);
    return;
  }
  const taken = new Set<string>();
  for (const [i, container] of containers.entries()) {
    const at = `${list}[${i}]`;
    const name = stringAt(container, 'name');
    yield* checkContainer(container, at, parts);
    if (taken.has(name)) yield duplicate(`${at}.name`, name);
    taken.add(name);
    yield* checkLifecycle(container, at);
    yield* checkProbes(container, at);
  }
  yield* checkHostPortConflicts(containers, list);
}

const notBeforeOthers = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** The containers that go before the others, one after the other, at the path of the spec. */
export function* checkInitContainers(spec: JsonObject, path: string, parts: PodParts): FieldErrors {
  const list = `${path}.initContainers`;
  const taken = new Set(namesOf(spec, 'containers'));
  for (const [i, container] of objectsAt(spec, 'initContainers').entries()) {
    const at = `${list}[${i}]`;
    const name = stringAt(container, 'name');
    yield* checkContainer(container, at, parts);
    if (taken.has(name)) yield duplicate(`${at}.name`, name);
    else if (name !== '') taken.add(name);
    // Only ports of the same container can clash, and the first place of the list is blamed for them.
    yield* checkHostPortConflicts([container], list);
    for (const key of notBeforeOthers) {
      if (hasAt(container, key)) yield forbidden(`${at}.${key}`, 'may not be set for init containers');
    }
    if (listAt(container, 'resizePolicy').length > 0) {
      yield invalidValue(`${at}.resizePolicy`, container.resizePolicy, 'must not be set for init containers');
    }
  }
}

const namesOf = (spec: JsonObject, list: string): readonly string[] =>
  objectsAt(spec, list).map((container) => stringAt(container, 'name'));

/** What would make a container more than a look into a pod. */
const notInPassing = [
  'ports',
  'resources',
  'resizePolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** The containers that look into a running pod, at the path of the spec. */
export function* checkEphemeralContainers(spec: JsonObject, path: string, parts: PodParts): FieldErrors {
  const targets = new Set([...namesOf(spec, 'containers'), ...namesOf(spec, 'initContainers')]);
  const taken = new Set(targets);
  for (const [i, container] of objectsAt(spec, 'ephemeralContainers').entries()) {
    const at = `${path}.ephemeralContainers[${i}]`;
    const name = stringAt(container, 'name');
    const target = stringAt(container, 'targetContainerName');
    yield* checkContainer(container, at, parts);
    yield* checkImageSpace(container, at);
    if (taken.has(name)) yield duplicate(`${at}.name`, name);
    taken.add(name);
    if (target !== '' && !targets.has(target)) yield notFoundValue(`${at}.targetContainerName`, target);
    yield* checkNothingElse(container, at);
  }
}

function* checkNothingElse(container: JsonObject, path: string): FieldErrors {
  const problem = 'cannot be set for an Ephemeral Container';
  for (const key of notInPassing) {
    if (!isEmpty(container, key)) yield forbidden(`${path}.${key}`, problem);
  }
  for (const [i, mount] of objectsAt(container, 'volumeMounts').entries()) {
    for (const key of ['subPath', 'subPathExpr']) {
      if (stringAt(mount, key) !== '') yield forbidden(`${path}.volumeMounts[${i}].${key}`, problem);
    }
  }
}

function isEmpty(container: JsonObject, key: string): boolean {
  if (!hasAt(container, key)) return true;
  // Resources are always there, and empty where none are asked for.
  return key === 'resources' && Object.keys(objectAt(container, key) ?? {}).length === 0;
}

/** Pods, other than templates, refuse images with space around their names. */
export function* checkImageSpace(container: JsonObject, path: string): FieldErrors {
  const image = stringAt(container, 'image');
  if (image.trim() === image) return;
  yield invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace');
}
