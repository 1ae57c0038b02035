/** Warnings about pods: deprecated fields, and fields that may not do what their writer expects. */
import type { PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft, JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isString } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import { formatQuantity, parseQuantity } from '../../../runtime/objects/scan/quantity.js';
import {
  type DeprecatedLabels,
  deprecatedLabels,
  deprecationOf,
  firstWarnings,
  nodeLabelWarning,
  nodeTermWarnings,
  type Warnings,
} from '../node-labels.js';
import { visitContainers } from './operating-system.js';
import { type Annotations, podAnnotationKeys } from './pod-annotations.js';

/** The facts that warnings need besides the spec. */
export interface PodWarningContext {
  readonly names: Naming;
  /** The annotations of the pod or template. */
  readonly annotations: Annotations | undefined;
}

/** Warns about a spec and its annotations. */
export function podSpecWarnings(spec: Draft<PodSpec>, path: string, context: PodWarningContext): readonly string[] {
  return firstWarnings(warningsOf(spec, path, context));
}

function* warningsOf(spec: Draft<PodSpec>, path: string, { names, annotations }: PodWarningContext): Warnings {
  const labels = deprecatedLabels(names);
  yield* nodeLabelWarnings(spec, path, labels);
  yield* topologyWarnings(spec, path, labels);
  yield* annotationWarnings(annotations ?? {}, spec, path, names);
  yield* volumeWarnings(spec, path);
  yield* listWarnings(spec, path);
  yield* containerWarnings(spec, path);
  yield* amountWarnings(spec.overhead ?? {}, `${path}.overhead`);
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
): Warnings {
  for (const [i, { topologyKey = '' }] of topologySpreadConstraints.entries()) {
    yield* nodeLabelWarning(topologyKey, `${path}.topologySpreadConstraints[${i}].topologyKey`, labels);
  }
}

function* annotationWarnings(annotations: Annotations, spec: Draft<PodSpec>, path: string, names: Naming): Warnings {
  const keys = podAnnotationKeys(names);
  const at = path === 'spec' ? 'metadata.annotations' : `${path.slice(0, -'.spec'.length)}.metadata.annotations`;
  const has = (key: string): boolean => Object.hasOwn(annotations, key);
  const useProfile = 'non-functional in v1.27+; use the "seccompProfile" field instead';
  if (has(keys.criticalPod)) {
    yield `${at}[${keys.criticalPod}]: non-functional in v1.16+; use the "priorityClassName" field instead`;
  }
  for (const key of [keys.sysctls, keys.unsafeSysctls]) {
    if (has(key)) yield `${at}[${key}]: non-functional in v1.11+; use the "sysctls" field instead`;
  }
  if (has(keys.seccompPod) && !spec.securityContext?.seccompProfile) yield `${at}[${keys.seccompPod}]: ${useProfile}`;
  for (const { container } of visitContainers(spec, path)) {
    const key = `${keys.seccompContainer}${container.name ?? ''}`;
    if (has(key) && !container.securityContext?.seccompProfile) yield `${at}[${key}]: ${useProfile}`;
  }
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

function* volumeWarnings({ volumes = [] }: Draft<PodSpec>, path: string): Warnings {
  for (const [i, volume] of volumes.entries()) {
    const at = `${path}.volumes[${i}]`;
    for (const [source, remark] of deprecatedSources) if (volume[source]) yield `${at}.${source}: ${remark}`;
    const requests = volume.ephemeral?.volumeClaimTemplate?.spec?.resources?.requests ?? {};
    yield* amountWarnings(requests, `${at}.ephemeral.volumeClaimTemplate.spec.resources.requests`);
  }
}

/** Warns about list entries that repeat others or say nothing. */
function* listWarnings({ hostAliases = [], imagePullSecrets = [] }: Draft<PodSpec>, path: string): Warnings {
  yield* repeats(hostAliases, 'ip', `${path}.hostAliases`);
  for (const [i, { name }] of imagePullSecrets.entries()) {
    if (!name) yield `${path}.imagePullSecrets[${i}].name: invalid empty name ""`;
  }
  yield* repeats(imagePullSecrets, 'name', `${path}.imagePullSecrets`);
}

function* repeats<T extends JsonObject>(items: readonly T[], field: keyof T & string, path: string): Warnings {
  const seen = new Set<string>();
  for (const [i, item] of items.entries()) {
    const value = item[field];
    if (!isString(value) || value === '') continue;
    if (seen.has(value)) yield `${path}[${i}].${field}: duplicate ${field} ${quote(value)}`;
    seen.add(value);
  }
}

function* containerWarnings(spec: Draft<PodSpec>, path: string): Warnings {
  for (const { container, path: at } of visitContainers(spec, path)) {
    const { resources = {}, env = [] } = container;
    yield* amountWarnings(resources.limits ?? {}, `${at}.resources.limits`);
    yield* amountWarnings(resources.requests ?? {}, `${at}.resources.requests`);
    yield* repeats(env, 'name', `${at}.env`);
  }
}

/** Warns about fractions of bytes. */
export function* amountWarnings(amounts: JsonObject, path: string): Warnings {
  for (const name of ['memory', 'ephemeral-storage', 'storage']) {
    const text = getOwn(amounts, name);
    const quantity = isString(text) ? parseQuantity(text) : undefined;
    if (!quantity?.ok || quantity.value.exponent >= 0) continue;
    if (quantity.value.digits % 10n ** BigInt(-quantity.value.exponent) === 0n) continue;
    const shown = quote(formatQuantity(quantity.value));
    yield `${path}[${name}]: fractional byte value ${shown} is invalid, must be an integer`;
  }
}
