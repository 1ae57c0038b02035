/** Errors of a pod's spec, in the order in which the API reports them. */
import type { FieldError, JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/dns-names.js';
import { duplicate, forbidden } from '../../../runtime/objects/field-error.js';
import { isStringMap, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../../runtime/objects/key-names.js';
import { validateLabels } from '../../../runtime/objects/metadata-rules.js';
import type { NameCheck } from '../../../runtime/objects/name-patterns.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import {
  checkRange,
  checkRequiredChoice,
  checkText,
  type FieldErrors,
  firstErrors,
  maxInt32,
} from '../../shared/field-checks.js';
import { hasAt, isTrueAt, objectsAt } from '../../shared/reading.js';
import { checkAffinity } from './affinity.js';
import { checkContainers, checkEphemeralContainers, checkImageSpace, checkInitContainers } from './containers.js';
import { checkOperatingSystem } from './operating-system.js';
import { checkPodAnnotations } from './pod-annotations.js';
import { checkDnsConfig, checkHostAliases } from './pod-dns.js';
import { checkResourceClaims, claimNamesOf } from './resource-claims.js';
import { checkResources } from './resources.js';
import { checkPodSecurity } from './security-context.js';
import { checkTolerations } from './tolerations.js';
import { checkTopologySpread } from './topology-spread.js';
import { checkVolumes } from './volumes.js';
import { checkHostProcesses } from './windows-options.js';

/** What the checks of a spec may know besides the spec. */
export interface PodSpecContext {
  readonly names: Naming;
  /** Annotations of the pod or template, and their path. */
  readonly annotations?: JsonObject | undefined;
  readonly annotationsPath: string;
  /** Name of the pod; absent for templates, whose pods have no names yet. */
  readonly podName?: string;
}

/** Errors of a spec at a path, those of the annotations about it first. */
export function validatePodSpec(spec: JsonObject, path: string, context: PodSpecContext): readonly FieldError[] {
  return firstErrors(checkAll(spec, path, context));
}

function* checkAll(spec: JsonObject, path: string, context: PodSpecContext): FieldErrors {
  yield* checkPodAnnotations(context.annotations ?? {}, spec, context.annotationsPath, context.names);
  yield* checkParts(spec, path, context);
  yield* checkNode(spec, path);
  yield* checkPlacement(spec, path);
  yield* checkIdentity(spec, path);
  yield* checkTolerations(spec, `${path}.tolerations`);
  yield* checkHostAliases(spec, `${path}.hostAliases`);
  yield* checkClasses(spec, path, context.names);
  yield* checkOperatingSystem(spec, path);
}

/** Volumes, claims, and the containers that use them. */
function* checkParts(spec: JsonObject, path: string, { names, podName = '' }: PodSpecContext): FieldErrors {
  const { volumes, errors } = checkVolumes(spec, path, { names, podName });
  const parts = { names, volumes, claims: claimNamesOf(spec) };
  yield* errors;
  yield* checkResourceClaims(spec, `${path}.resourceClaims`, podName);
  yield* checkContainers(spec, path, parts);
  yield* checkInitContainers(spec, path, parts);
  yield* checkEphemeralContainers(spec, path, parts);
}

const restartPolicies = ['Always', 'OnFailure', 'Never'] as const;
const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'] as const;

function* checkNode(spec: JsonObject, path: string): FieldErrors {
  const labels = objectAt(spec, 'nodeSelector');
  yield* checkRequiredChoice(spec, 'restartPolicy', path, restartPolicies);
  yield* checkRequiredChoice(spec, 'dnsPolicy', path, dnsPolicies);
  if (isStringMap(labels)) yield* validateLabels(labels, `${path}.nodeSelector`);
  yield* checkPodSecurity(spec, path);
}

/** What a pod with users of its own cannot share with its node, and how errors write it. */
const sharedWithNode = [
  ['hostNetwork', 'hostNetwork'],
  ['hostPID', 'HostPID'],
  ['hostIPC', 'HostIPC'],
] as const;

function* checkPlacement(spec: JsonObject, path: string): FieldErrors {
  yield* checkAffinity(spec, path);
  yield* checkDnsConfig(spec, path);
  for (const [i, gate] of objectsAt(spec, 'readinessGates').entries()) {
    const at = `${path}.readinessGates[${i}].conditionType`;
    yield* checkText(at, stringAt(gate, 'conditionType'), qualifiedNameCheck);
  }
  yield* checkSchedulingGates(spec, `${path}.schedulingGates`);
  yield* checkTopologySpread(spec, path);
  yield* checkHostProcesses(spec, path);
  if (spec.hostUsers !== false) return;
  for (const [key, shown] of sharedWithNode) {
    if (isTrueAt(spec, key)) yield forbidden(`${path}.${shown}`, 'when `pod.Spec.HostUsers` is false');
  }
}

function* checkSchedulingGates(spec: JsonObject, path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, gate] of objectsAt(spec, 'schedulingGates').entries()) {
    const name = stringAt(gate, 'name');
    yield* checkText(`${path}[${i}]`, name, qualifiedNameCheck);
    if (seen.has(name)) yield duplicate(`${path}[${i}]`, name);
    seen.add(name);
  }
}

/** Fields that are names, with their rules. */
const namedBefore: readonly (readonly [key: string, check: NameCheck])[] = [
  ['serviceAccountName', dns1123Subdomain],
  ['nodeName', dns1123Subdomain],
];
const namedAfter: readonly (readonly [key: string, check: NameCheck])[] = [
  ['hostname', dns1123Label],
  ['subdomain', dns1123Label],
];

function* checkIdentity(spec: JsonObject, path: string): FieldErrors {
  yield* checkNames(spec, path, namedBefore);
  yield* checkRange(spec, 'activeDeadlineSeconds', path, [1, maxInt32]);
  yield* checkNames(spec, path, namedAfter);
}

function* checkNames(spec: JsonObject, path: string, names: typeof namedBefore): FieldErrors {
  for (const [key, check] of names) {
    const name = stringAt(spec, key);
    if (name !== '') yield* checkText(`${path}.${key}`, name, check);
  }
}

const preemptions = ['PreemptLowerPriority', 'Never'] as const;

function* checkClasses(spec: JsonObject, path: string, names: Naming): FieldErrors {
  const priorityClass = stringAt(spec, 'priorityClassName');
  if (priorityClass !== '') yield* checkText(`${path}.priorityClassName`, priorityClass, dns1123Subdomain);
  if (hasAt(spec, 'runtimeClassName')) {
    yield* checkText(`${path}.runtimeClassName`, stringAt(spec, 'runtimeClassName'), dns1123Subdomain);
  }
  if (hasAt(spec, 'preemptionPolicy')) yield* checkRequiredChoice(spec, 'preemptionPolicy', path, preemptions);
  const overhead = objectAt(spec, 'overhead');
  if (overhead) yield* checkResources({ limits: overhead }, `${path}.overhead`, names, new Set());
}

/** Errors that only pods have, and templates of pods do not. */
export function podOnlyErrors(spec: JsonObject, path: string): readonly FieldError[] {
  return firstErrors(checkPodOnly(spec, path));
}

function* checkPodOnly(spec: JsonObject, path: string): FieldErrors {
  if (stringAt(spec, 'serviceAccountName') === '') {
    for (const [i, volume] of objectsAt(spec, 'volumes').entries()) {
      for (const [j, source] of objectsAt(objectAt(volume, 'projected'), 'sources').entries()) {
        if (!hasAt(source, 'serviceAccountToken')) continue;
        const at = `${path}.volumes[${i}].projected.sources[${j}].serviceAccountToken`;
        yield forbidden(at, 'must not be specified when serviceAccountName is not set');
      }
    }
  }
  for (const list of ['containers', 'initContainers']) {
    for (const [i, container] of objectsAt(spec, list).entries()) {
      yield* checkImageSpace(container, `${path}.${list}[${i}]`);
    }
  }
}
