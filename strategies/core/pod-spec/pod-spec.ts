/** The spec of a pod, checked in the order of the reference. */
import type { PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, tooLong } from '../../../runtime/objects/field-error.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import { validateLabels } from '../../../runtime/objects/names/metadata-rules.js';
import {
  dns1123Label,
  dns1123Subdomain,
  type NameCheck,
  qualifiedNameCheck,
} from '../../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import type { Release } from '../../../runtime/objects/release.js';
import {
  checkBetween,
  checkRequiredOneOf,
  checkText,
  type FieldErrors,
  firstErrors,
  maxInt32,
} from '../../shared/field-checks.js';
import type { Serving } from '../../shared/serving.js';
import { checkContainers, checkEphemeralContainers, checkImageSpace, checkInitContainers } from './containers.js';
import { checkDnsConfig, checkHostAliases } from './dns.js';
import { checkVariableFiles } from './env.js';
import { checkHostProcesses, checkOperatingSystem, visitContainers } from './operating-system.js';
import { type Annotations, checkPodAnnotations, podAnnotationKeys } from './pod-annotations.js';
import { checkPodResources } from './pod-resources.js';
import { checkResourceClaims, claimNamesOf } from './resource-claims.js';
import { checkResources } from './resources.js';
import { checkAffinity, checkTolerations, checkTopologySpread } from './scheduling.js';
import { checkPodSecurity } from './security-context.js';
import { checkVolumes } from './volumes.js';

/** The facts that checks need besides the spec. */
export interface PodSpecContext extends Serving {
  /** The annotations of the pod or template, with their path. */
  readonly annotations?: Annotations | undefined;
  readonly annotationsPath: string;
  /** The name of the pod; missing in templates, because their pods have no names yet. */
  readonly podName?: string;
}

/** Checks a spec; the errors of its annotations come first. */
export function validatePodSpec(spec: Draft<PodSpec>, path: string, context: PodSpecContext): readonly FieldError[] {
  return firstErrors(checkAll(spec, path, context));
}

function* checkAll(spec: Draft<PodSpec>, path: string, context: PodSpecContext): FieldErrors {
  yield* checkPodAnnotations(context.annotations ?? {}, spec, context.annotationsPath, context);
  yield* checkParts(spec, path, context);
  yield* checkNode(spec, path, context);
  yield* checkPlacement(spec, path, context.release);
  yield* checkIdentity(spec, path);
  yield* checkTolerations(spec.tolerations, `${path}.tolerations`, context.release);
  yield* checkHostAliases(spec.hostAliases, `${path}.hostAliases`, context.release);
  yield* checkClasses(spec, path, context.names);
  yield* checkOperatingSystem(spec, path);
  yield* checkVariableFiles(spec, path);
}

/** Checks volumes, claims, and the containers that use them. */
function* checkParts(
  spec: Draft<PodSpec>,
  path: string,
  { names, release, annotations, podName = '' }: PodSpecContext,
): FieldErrors {
  const { volumes, errors } = checkVolumes(spec.volumes, `${path}.volumes`, { names, podName });
  const parts = { names, release, pod: spec, volumes, claims: claimNamesOf(spec.resourceClaims) };
  yield* errors;
  const isMirror = podName !== '' && getOwn(annotations ?? {}, podAnnotationKeys(names).mirror) !== undefined;
  yield* checkResourceClaims(spec.resourceClaims, `${path}.resourceClaims`, { podName, isMirror, release });
  yield* checkContainers(spec, path, parts);
  yield* checkInitContainers(spec, path, parts);
  yield* checkEphemeralContainers(spec, path, parts);
  if (spec.resources) yield* checkPodResources(spec, path, parts);
}

const restartPolicies = ['Always', 'OnFailure', 'Never'] as const;
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'] as const;

function* checkNode(spec: Draft<PodSpec>, path: string, { release, podName }: PodSpecContext): FieldErrors {
  if (spec.hostNetwork && release.does('hostPortsOfPodsOnly')) yield* checkHostPorts(spec, path, podName !== undefined);
  yield* checkRequiredOneOf(spec.restartPolicy, `${path}.restartPolicy`, restartPolicies);
  yield* checkRequiredOneOf(spec.dnsPolicy, `${path}.dnsPolicy`, dnsPolicies);
  yield* validateLabels(spec.nodeSelector ?? {}, `${path}.nodeSelector`);
  yield* checkPodSecurity(spec, path, release);
}

/** On the node's network, a port of a container is the same port of the node. Pods must say so, templates may. */
function* checkHostPorts({ containers }: Draft<PodSpec>, path: string, isPod: boolean): FieldErrors {
  const problem = 'must match `containerPort` when `hostNetwork` is true';
  for (const [i, { ports = [] }] of (containers ?? []).entries()) {
    for (const [j, { containerPort = 0, hostPort = 0 }] of ports.entries()) {
      if (hostPort === containerPort || (hostPort === 0 && !isPod)) continue;
      yield invalidValue(`${path}.containers[${i}].ports[${j}].hostPort`, hostPort, problem);
    }
  }
}

/** Node namespaces that a pod with its own user namespace cannot share, and their names in errors. */
const sharedWithNode = [
  ['hostNetwork', 'hostNetwork'],
  ['hostPID', 'HostPID'],
  ['hostIPC', 'HostIPC'],
] as const;

function* checkPlacement(spec: Draft<PodSpec>, path: string, release: Release): FieldErrors {
  yield* checkAffinity(spec.affinity, `${path}.affinity`, release);
  yield* checkDnsConfig(spec, path, release);
  for (const [i, { conditionType = '' }] of (spec.readinessGates ?? []).entries()) {
    yield* checkText(`${path}.readinessGates[${i}].conditionType`, conditionType, qualifiedNameCheck);
  }
  yield* checkSchedulingGates(spec, `${path}.schedulingGates`);
  yield* checkTopologySpread(spec.topologySpreadConstraints, `${path}.topologySpreadConstraints`, release);
  yield* checkHostProcesses(spec, path);
  if (spec.hostUsers === false) yield* checkOwnUsers(spec, path, release);
  yield* checkHostnameOverride(spec, path);
}

/** A pod with its own users shares neither namespaces nor block devices of its node. */
function* checkOwnUsers(spec: Draft<PodSpec>, path: string, release: Release): FieldErrors {
  const isLater = release.does('ownUsersWithoutDevices');
  const problem = `when \`${isLater ? 'hostUsers' : 'pod.Spec.HostUsers'}\` is false`;
  for (const [field, reported] of sharedWithNode) if (spec[field]) yield forbidden(`${path}.${reported}`, problem);
  if (!isLater) return;
  for (const { container, path: at } of visitContainers(spec, path)) {
    if (container.volumeDevices?.length) yield forbidden(`${at}.volumeDevices`, problem);
  }
}

const maxHostname = 64;

/** `hostnameOverride` replaces all other host names, so it excludes the fields that set them. */
function* checkHostnameOverride(spec: Draft<PodSpec>, path: string): FieldErrors {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec;
  if (name === undefined) return;
  const at = `${path}.hostnameOverride`;
  if (setHostnameAsFQDN) yield forbidden(at, 'may not be specified when setHostnameAsFQDN is true');
  if (hostNetwork) yield forbidden(at, 'may not be specified when hostNetwork is true');
  if (name.length > maxHostname) yield tooLong(at, maxHostname);
  yield* checkText(at, name, dns1123Subdomain);
}

function* checkSchedulingGates({ schedulingGates = [] }: Draft<PodSpec>, path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, { name = '' }] of schedulingGates.entries()) {
    yield* checkText(`${path}[${i}]`, name, qualifiedNameCheck);
    if (seen.has(name)) yield duplicate(`${path}[${i}]`, name);
    seen.add(name);
  }
}

function* checkIdentity(spec: Draft<PodSpec>, path: string): FieldErrors {
  yield* checkOptionalName(spec, 'serviceAccountName', path, dns1123Subdomain);
  yield* checkOptionalName(spec, 'nodeName', path, dns1123Subdomain);
  yield* checkBetween(spec.activeDeadlineSeconds, `${path}.activeDeadlineSeconds`, [1, maxInt32]);
  yield* checkOptionalName(spec, 'hostname', path, dns1123Label);
  yield* checkOptionalName(spec, 'subdomain', path, dns1123Label);
}

function* checkOptionalName(
  spec: Draft<PodSpec>,
  field: 'hostname' | 'nodeName' | 'priorityClassName' | 'serviceAccountName' | 'subdomain',
  path: string,
  check: NameCheck,
): FieldErrors {
  const name = spec[field];
  if (name) yield* checkText(`${path}.${field}`, name, check);
}

const preemptions = ['PreemptLowerPriority', 'Never'] as const;

function* checkClasses(spec: Draft<PodSpec>, path: string, names: Naming): FieldErrors {
  const { runtimeClassName, preemptionPolicy, overhead } = spec;
  yield* checkOptionalName(spec, 'priorityClassName', path, dns1123Subdomain);
  if (runtimeClassName !== undefined) yield* checkText(`${path}.runtimeClassName`, runtimeClassName, dns1123Subdomain);
  if (preemptionPolicy !== undefined)
    yield* checkRequiredOneOf(spec.preemptionPolicy, `${path}.preemptionPolicy`, preemptions);
  if (overhead) yield* checkResources({ limits: overhead }, `${path}.overhead`, names, new Set());
}

/** Checks the rules for pods that templates need not follow. */
export function podOnlyErrors(spec: Draft<PodSpec>, path: string): readonly FieldError[] {
  return firstErrors(checkPodOnly(spec, path));
}

function* checkPodOnly(spec: Draft<PodSpec>, path: string): FieldErrors {
  if (!spec.serviceAccountName) yield* checkNoTokens(spec, path);
  for (const list of ['containers', 'initContainers'] as const) {
    for (const [i, container] of (spec[list] ?? []).entries()) {
      yield* checkImageSpace(container, `${path}.${list}[${i}]`);
    }
  }
}

function* checkNoTokens({ volumes = [] }: Draft<PodSpec>, path: string): FieldErrors {
  for (const [i, { projected }] of volumes.entries()) {
    for (const [j, source] of (projected?.sources ?? []).entries()) {
      if (!source.serviceAccountToken) continue;
      const at = `${path}.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
      yield forbidden(at, 'must not be specified when serviceAccountName is not set');
    }
  }
}
