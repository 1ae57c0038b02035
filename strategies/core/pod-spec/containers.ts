/** The containers of a pod: its own, its init containers and its ephemeral containers. */
import type {
  Container,
  ContainerPort,
  EnvFromSource,
  EnvVar,
  EphemeralContainer,
  PodSpec,
} from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, notFoundValue, required } from '../../../runtime/objects/field-error.js';
import {
  configMapKey,
  dns1123Label,
  dns1123Subdomain,
  envVarName,
} from '../../../runtime/objects/names/name-checks.js';
import { generateNameStem } from '../../../runtime/objects/names/names.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { portName, portNumberProblems } from '../../../runtime/objects/names/network-names.js';
import {
  checkName,
  checkRequired,
  checkRequiredOneOf,
  checkText,
  type FieldErrors,
} from '../../shared/field-checks.js';
import { checkLifecycle, checkProbes } from './probes.js';
import { checkFieldSelector, checkResourceSelector, envFields } from './projected-files.js';
import { type ClaimNames, checkResizePolicy, checkResources } from './resources.js';
import { checkContainerSecurity } from './security-context.js';
import { checkDevices, checkMounts, type Volumes } from './volumes.js';

/** The names that containers may refer to. */
export interface PodParts {
  readonly names: Naming;
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
    yield* checkLifecycle(container.lifecycle, `${at}.lifecycle`);
    yield* checkProbes(container, at);
  }
  yield* checkHostPortConflicts(containers, list);
}

/** Checks what containers of all kinds share. */
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

/** Fields that init containers must not have. */
const notInInit = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Checks the init containers. */
export function* checkInitContainers(spec: Draft<PodSpec>, path: string, parts: PodParts): FieldErrors {
  const list = `${path}.initContainers`;
  const taken = new Set(namesOf(spec.containers));
  for (const [i, container] of (spec.initContainers ?? []).entries()) {
    const { name = '', resizePolicy = [] } = container;
    const at = `${list}[${i}]`;
    yield* checkContainer(container, at, parts);
    if (taken.has(name)) yield duplicate(`${at}.name`, name);
    else if (name !== '') taken.add(name);
    // Only ports of the same container can clash; the first place in the list gets the error.
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

/** Fields that ephemeral containers must not have. */
const notInEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
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

/** Images of pods, unlike those of templates, have no blanks around their names. */
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

// Environment variables of containers: single ones, and whole config maps and secrets.

/** Checks single variables. */
function* checkEnv(variables: readonly Draft<EnvVar>[] = [], path: string): FieldErrors {
  for (const [i, variable] of variables.entries()) {
    yield* checkName(`${path}[${i}].name`, variable.name ?? '', envVarName);
    yield* checkSource(variable, `${path}[${i}].valueFrom`);
  }
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef'] as const;

function* checkSource({ value, valueFrom: from }: Draft<EnvVar>, path: string): FieldErrors {
  if (from === undefined) return;
  if (from.fieldRef) yield* checkFieldSelector(from.fieldRef, `${path}.fieldRef`, envFields);
  if (from.resourceFieldRef) yield* checkResourceSelector(from.resourceFieldRef, `${path}.resourceFieldRef`, false);
  for (const source of ['configMapKeyRef', 'secretKeyRef'] as const) {
    const reference = from[source];
    if (!reference) continue;
    yield* checkText(`${path}.${source}.name`, reference.name ?? '', dns1123Subdomain);
    yield* checkName(`${path}.${source}.key`, reference.key ?? '', configMapKey);
  }
  const count = sources.filter((source) => from[source]).length;
  if (count === 0) {
    const problem = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';
    yield invalidValue(path, '', problem);
  } else if (value) yield invalidValue(path, '', 'may not be specified when `value` is not empty');
  else if (count > 1) yield invalidValue(path, '', 'may not have more than one field specified at a time');
}

/** Checks a prefix that another text follows. */
const dns1123Prefix = (text: string): readonly string[] => dns1123Subdomain(generateNameStem(text));

/** Checks whole config maps and secrets. Errors about their number name the list. */
function* checkEnvFrom(list: readonly Draft<EnvFromSource>[] = [], path: string): FieldErrors {
  for (const [i, { prefix = '', configMapRef, secretRef }] of list.entries()) {
    const at = `${path}[${i}]`;
    if (prefix !== '') yield* checkText(`${at}.prefix`, prefix, envVarName);
    if (configMapRef) yield* checkName(`${at}.configMapRef.name`, configMapRef.name ?? '', dns1123Prefix);
    if (secretRef) yield* checkName(`${at}.secretRef.name`, secretRef.name ?? '', dns1123Prefix);
    if (!configMapRef && !secretRef) {
      yield invalidValue(path, '', 'must specify one of: `configMapRef` or `secretRef`');
    }
    if (configMapRef && secretRef) {
      yield invalidValue(path, '', 'may not have more than one field specified at a time');
    }
  }
}
