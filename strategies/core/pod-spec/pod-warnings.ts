/** Warnings about pods: deprecated fields, and fields that may not do what their writer expects. */
import type { Container, EnvVar, PodSpec, ResourceRequirements } from '../../../generated/types/core/v1/types.js';
import type { Draft, JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isString, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import type { Release } from '../../../runtime/objects/release.js';
import { formatQuantity, parseQuantity } from '../../../runtime/objects/scan/quantity.js';
import type { Serving } from '../../shared/serving.js';
import {
  type DeprecatedLabels,
  deprecatedLabels,
  deprecationOf,
  firstWarnings,
  nodeLabelWarning,
  nodeTermWarnings,
  type Warnings,
} from '../node-labels.js';
import { appArmorAdvice } from './app-armor.js';
import { visitContainers } from './operating-system.js';
import { type Annotations, podAnnotationKeys } from './pod-annotations.js';
import { portWarnings } from './port-warnings.js';

/** The facts that warnings need besides the spec. */
export interface PodWarningContext extends Serving {
  /** The annotations of the pod or template. */
  readonly annotations: Annotations | undefined;
}

/** Warns about a spec and its annotations. */
export function podSpecWarnings(spec: Draft<PodSpec>, path: string, context: PodWarningContext): readonly string[] {
  return firstWarnings(warningsOf(spec, path, context));
}

function* warningsOf(spec: Draft<PodSpec>, path: string, context: PodWarningContext): Warnings {
  const { names, release, annotations } = context;
  const labels = deprecatedLabels(names);
  yield* nodeLabelWarnings(spec, path, labels);
  yield* topologyWarnings(spec, path, labels, release);
  const ofPod = annotationsOf(annotations ?? {}, path, names);
  yield* annotationWarnings(ofPod);
  yield* volumeWarnings(spec, path, release);
  yield* listWarnings(spec, path);
  for (const name of byteAmounts) yield* amountWarning(spec.overhead, name, `${path}.overhead`);
  if (!spec.securityContext?.seccompProfile) yield* profileWarning(ofPod, ofPod.keys.seccompPod);
  yield* containerWarnings(spec, path, ofPod, release);
  if (release.does('repeatedPortsWarned')) yield* portWarnings(spec, path);
  if (Number(spec.terminationGracePeriodSeconds) < 0) {
    yield `${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`;
  }
  if (release.does('selectorsOfNothingWarned')) yield* affinityWarnings(spec, path);
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function* nodeLabelWarnings(spec: Draft<PodSpec>, path: string, labels: DeprecatedLabels): Warnings {
  for (const key of Object.keys(spec.nodeSelector ?? {}).sort()) {
    const advice = deprecationOf(key, labels);
    if (advice !== undefined) yield `${path}.nodeSelector[${key}]: ${advice}`;
  }
  const affinity = spec.affinity?.nodeAffinity;
  const at = `${path}.affinity.nodeAffinity`;
  for (const [i, term] of (affinity?.[required]?.nodeSelectorTerms ?? []).entries()) {
    yield* nodeTermWarnings(term, `${at}.${required}.nodeSelectorTerms[${i}]`, labels);
  }
  for (const [i, { preference }] of (affinity?.[preferred] ?? []).entries()) {
    yield* nodeTermWarnings(preference, `${at}.${preferred}[${i}].preference`, labels);
  }
}

function* topologyWarnings(
  { topologySpreadConstraints = [] }: Draft<PodSpec>,
  path: string,
  labels: DeprecatedLabels,
  release: Release,
): Warnings {
  for (const [i, { topologyKey = '', labelSelector }] of topologySpreadConstraints.entries()) {
    const at = `${path}.topologySpreadConstraints[${i}]`;
    yield* nodeLabelWarning(topologyKey, `${at}.topologyKey`, labels);
    if (!labelSelector && release.does('selectorsOfNothingWarned')) yield selectsNothing(at);
  }
}

const selectsNothing = (path: string): string =>
  `${path}.labelSelector: a null labelSelector results in matching no pod`;

/** Warns about terms that no pod fulfils. */
function* affinityWarnings({ affinity }: Draft<PodSpec>, path: string): Warnings {
  for (const kind of ['podAffinity', 'podAntiAffinity'] as const) {
    const at = `${path}.affinity.${kind}`;
    for (const [i, term] of (affinity?.[kind]?.[required] ?? []).entries()) {
      if (!term.labelSelector) yield selectsNothing(`${at}.${required}[${i}]`);
    }
    for (const [i, { podAffinityTerm: term }] of (affinity?.[kind]?.[preferred] ?? []).entries()) {
      if (!term?.labelSelector) yield selectsNothing(`${at}.${preferred}[${i}].podAffinityTerm`);
    }
  }
}

/** Annotations with their path and the keys that have a meaning. */
interface PlacedAnnotations {
  readonly keys: ReturnType<typeof podAnnotationKeys>;
  readonly at: string;
  readonly has: (key: string) => boolean;
}

function annotationsOf(annotations: Annotations, path: string, names: Naming): PlacedAnnotations {
  const at = path === 'spec' ? 'metadata.annotations' : `${path.slice(0, -'.spec'.length)}.metadata.annotations`;
  return { keys: podAnnotationKeys(names), at, has: (key) => Object.hasOwn(annotations, key) };
}

function* annotationWarnings({ keys, at, has }: PlacedAnnotations): Warnings {
  if (has(keys.criticalPod)) {
    yield `${at}[${keys.criticalPod}]: non-functional in v1.16+; use the "priorityClassName" field instead`;
  }
  for (const key of [keys.sysctls, keys.unsafeSysctls]) {
    if (has(key)) yield `${at}[${key}]: non-functional in v1.11+; use the "sysctls" field instead`;
  }
}

/** Warns about a seccomp annotation of a pod that does not set the field which replaced it. */
function* profileWarning({ at, has }: PlacedAnnotations, key: string): Warnings {
  if (has(key)) yield `${at}[${key}]: non-functional in v1.27+; use the "seccompProfile" field instead`;
}

/** Deprecated volume sources; some no longer work. */
const deprecatedSources = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
] as const;

/** Volume sources that were deprecated after release 1.27. */
const laterDeprecatedSources = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
] as const;

function* volumeWarnings({ volumes = [] }: Draft<PodSpec>, path: string, release: Release): Warnings {
  const isLater = release.does('cephVolumesDeprecated');
  for (const [i, volume] of volumes.entries()) {
    const at = `${path}.volumes[${i}]`;
    for (const [source, remark] of deprecatedSources) if (volume[source]) yield `${at}.${source}: ${remark}`;
    const claim = volume.ephemeral?.volumeClaimTemplate?.spec;
    yield* claimAmountWarnings(claim?.resources, `${at}.ephemeral.volumeClaimTemplate.spec.resources`);
    if (!isLater) continue;
    for (const [source, remark] of laterDeprecatedSources) if (volume[source]) yield `${at}.${source}: ${remark}`;
  }
}

/** Warns about list entries that are duplicates or empty. */
function* listWarnings({ hostAliases = [], imagePullSecrets = [] }: Draft<PodSpec>, path: string): Warnings {
  yield* repeats(hostAliases, 'ip', `${path}.hostAliases`);
  yield* repeats(imagePullSecrets, 'name', `${path}.imagePullSecrets`);
  for (const [i, { name }] of imagePullSecrets.entries()) {
    if (!name) yield `${path}.imagePullSecrets[${i}].name: invalid empty name ""`;
  }
}

function* repeats<T extends JsonObject>(items: readonly T[], field: keyof T & string, path: string): Warnings {
  const seen = new Set<string>();
  for (const [i, item] of items.entries()) {
    const value = stringAt(item, field);
    if (seen.has(value)) yield `${path}[${i}].${field}: duplicate ${field} ${quote(value)}`;
    seen.add(value);
  }
}

function* containerWarnings(spec: Draft<PodSpec>, path: string, ofPod: PlacedAnnotations, release: Release): Warnings {
  for (const { container, path: at } of visitContainers(spec, path)) {
    const { resources = {}, env = [], name = '', securityContext } = container;
    if (!securityContext?.seccompProfile) yield* profileWarning(ofPod, `${ofPod.keys.seccompContainer}${name}`);
    if (release.does('appArmorFields')) yield* appArmorWarning(spec, container, ofPod);
    for (const amount of byteAmounts) yield* bothAmountWarnings(resources, amount, `${at}.resources`);
    if (release.does('hiddenVariablesWarned')) yield* hiddenWarnings(env, `${at}.env`);
    else yield* repeats(env, 'name', `${at}.env`);
  }
}

/** Warns about the annotation of a container without the field which replaced it. */
function* appArmorWarning(spec: Draft<PodSpec>, container: Draft<Container>, ofPod: PlacedAnnotations): Warnings {
  const { at, keys, has } = ofPod;
  const key = `${keys.appArmor}${container.name ?? ''}`;
  if (spec.securityContext?.appArmorProfile || container.securityContext?.appArmorProfile || !has(key)) return;
  yield appArmorAdvice(`${at}[${key}]`);
}

/** Warns about variables that replace earlier ones. A variable that uses the earlier value does so on purpose. */
function* hiddenWarnings(variables: readonly Draft<EnvVar>[], path: string): Warnings {
  const seen = new Set<string>();
  for (const [i, { name = '', value = '', valueFrom }] of variables.entries()) {
    const reference = `$(${name})`;
    const isMeant = !valueFrom && value !== reference && value.includes(reference);
    if (seen.has(name) && !isMeant) {
      yield `${path}[${i}]: hides previous definition of ${quote(name)}, which may be dropped when using apply`;
    }
    seen.add(name);
  }
}

type Resources = Pick<Draft<ResourceRequirements>, 'limits' | 'requests'>;

/** The resources that pods count in bytes. */
const byteAmounts = ['memory', 'ephemeral-storage'] as const;

/** Warns about fractions of bytes in the limit and the request of a resource. */
function* bothAmountWarnings({ limits, requests }: Resources, name: string, path: string): Warnings {
  yield* amountWarning(limits, name, `${path}.limits`);
  yield* amountWarning(requests, name, `${path}.requests`);
}

/** Warns about fractions of bytes in a claim; `path` is the path of its resources. */
export function* claimAmountWarnings({ limits, requests }: Resources = {}, path: string): Warnings {
  yield* amountWarning(requests, 'storage', `${path}.requests`);
  yield* amountWarning(limits, 'storage', `${path}.limits`);
}

function* amountWarning(amounts: JsonObject | undefined, name: string, path: string): Warnings {
  const text = getOwn(amounts ?? {}, name);
  const quantity = isString(text) ? parseQuantity(text) : undefined;
  if (!quantity?.ok || quantity.value.exponent >= 0) return;
  if (quantity.value.digits % 10n ** BigInt(-quantity.value.exponent) === 0n) return;
  const shown = quote(formatQuantity(quantity.value));
  yield `${path}[${name}]: fractional byte value ${shown} is invalid, must be an integer`;
}
