/** Warnings about pods: fields that are deprecated, or that cannot mean what their writer thinks. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isString, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import { formatQuantity, parseQuantity } from '../../../runtime/objects/quantity.js';
import { objectsAt } from '../../shared/reading.js';
import {
  type DeprecatedLabels,
  deprecatedLabels,
  deprecationOf,
  firstWarnings,
  nodeLabelWarning,
  nodeTermWarnings,
  type Warnings,
} from '../nodes/labels.js';
import { podAnnotationKeys } from './pod-annotations.js';
import { visitContainers } from './visit-containers.js';

/** What warnings depend on besides the spec. */
export interface PodWarningContext {
  readonly names: Naming;
  /** Of the pod or the template. */
  readonly metadata: JsonObject | undefined;
}

/** Warnings about a spec at a path, and about the metadata beside it. */
export function podSpecWarnings(spec: JsonObject, path: string, context: PodWarningContext): readonly string[] {
  return firstWarnings(warningsOf(spec, path, context));
}

function* warningsOf(spec: JsonObject, path: string, { names, metadata }: PodWarningContext): Warnings {
  const labels = deprecatedLabels(names);
  yield* nodeLabelWarnings(spec, path, labels);
  yield* topologyWarnings(spec, path, labels);
  yield* annotationWarnings(metadata, spec, path, names);
  yield* volumeWarnings(spec, path);
  yield* listWarnings(spec, path);
  yield* containerWarnings(spec, path);
  const overhead = objectAt(spec, 'overhead');
  if (overhead) yield* amountWarnings(overhead, `${path}.overhead`);
}

function* nodeLabelWarnings(spec: JsonObject, path: string, labels: DeprecatedLabels): Warnings {
  for (const key of Object.keys(objectAt(spec, 'nodeSelector') ?? {}).sort()) {
    const advice = deprecationOf(key, labels);
    if (advice !== undefined) yield `${path}.nodeSelector[${key}]: ${advice}`;
  }
  const affinity = objectAt(objectAt(spec, 'affinity'), 'nodeAffinity');
  const at = `${path}.affinity.nodeAffinity`;
  const [required, preferred] = [
    'requiredDuringSchedulingIgnoredDuringExecution',
    'preferredDuringSchedulingIgnoredDuringExecution',
  ];
  for (const [i, term] of objectsAt(objectAt(affinity, required), 'nodeSelectorTerms').entries()) {
    yield* nodeTermWarnings(term, `${at}.${required}.nodeSelectorTerms[${i}]`, labels);
  }
  for (const [i, term] of objectsAt(affinity, preferred).entries()) {
    yield* nodeTermWarnings(objectAt(term, 'preference'), `${at}.${preferred}[${i}].preference`, labels);
  }
}

function* topologyWarnings(spec: JsonObject, path: string, labels: DeprecatedLabels): Warnings {
  for (const [i, constraint] of objectsAt(spec, 'topologySpreadConstraints').entries()) {
    const at = `${path}.topologySpreadConstraints[${i}].topologyKey`;
    yield* nodeLabelWarning(stringAt(constraint, 'topologyKey'), at, labels);
  }
}

function* annotationWarnings(
  metadata: JsonObject | undefined,
  spec: JsonObject,
  path: string,
  names: Naming,
): Warnings {
  const annotations = objectAt(metadata, 'annotations') ?? {};
  const keys = podAnnotationKeys(names);
  const at = path === 'spec' ? 'metadata.annotations' : `${path.slice(0, -'.spec'.length)}.metadata.annotations`;
  const has = (key: string): boolean => getOwn(annotations, key) !== undefined;
  const profile = (object: JsonObject): boolean =>
    objectAt(objectAt(object, 'securityContext'), 'seccompProfile') !== undefined;
  if (has(keys.criticalPod)) {
    yield `${at}[${keys.criticalPod}]: non-functional in v1.16+; use the "priorityClassName" field instead`;
  }
  for (const key of [keys.sysctls, keys.unsafeSysctls]) {
    if (has(key)) yield `${at}[${key}]: non-functional in v1.11+; use the "sysctls" field instead`;
  }
  if (has(keys.seccompPod) && !profile(spec)) {
    yield `${at}[${keys.seccompPod}]: non-functional in v1.27+; use the "seccompProfile" field instead`;
  }
  for (const { container } of visitContainers(spec, path)) {
    const key = `${keys.seccompContainer}${stringAt(container, 'name')}`;
    if (!has(key) || profile(container)) continue;
    yield `${at}[${key}]: non-functional in v1.27+; use the "seccompProfile" field instead`;
  }
}

/** Sources of volumes that are going away, or have gone. */
const deprecatedSources: readonly (readonly [key: string, remark: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
];

function* volumeWarnings(spec: JsonObject, path: string): Warnings {
  for (const [i, volume] of objectsAt(spec, 'volumes').entries()) {
    const at = `${path}.volumes[${i}]`;
    for (const [key, remark] of deprecatedSources) if (objectAt(volume, key)) yield `${at}.${key}: ${remark}`;
    const template = objectAt(objectAt(volume, 'ephemeral'), 'volumeClaimTemplate');
    const requests = objectAt(objectAt(objectAt(template, 'spec'), 'resources'), 'requests');
    if (!requests) continue;
    yield* amountWarnings(requests, `${at}.ephemeral.volumeClaimTemplate.spec.resources.requests`);
  }
}

/** Entries of lists that say the same as others, or nothing. */
function* listWarnings(spec: JsonObject, path: string): Warnings {
  yield* repeats(objectsAt(spec, 'hostAliases'), 'ip', `${path}.hostAliases`);
  for (const [i, secret] of objectsAt(spec, 'imagePullSecrets').entries()) {
    if (stringAt(secret, 'name') === '') yield `${path}.imagePullSecrets[${i}].name: invalid empty name ""`;
  }
  yield* repeats(objectsAt(spec, 'imagePullSecrets'), 'name', `${path}.imagePullSecrets`);
}

function* repeats(items: readonly JsonObject[], key: string, path: string): Warnings {
  const seen = new Set<string>();
  for (const [i, item] of items.entries()) {
    const value = stringAt(item, key);
    if (value === '') continue;
    if (seen.has(value)) yield `${path}[${i}].${key}: duplicate ${key} ${quote(value)}`;
    seen.add(value);
  }
}

function* containerWarnings(spec: JsonObject, path: string): Warnings {
  for (const { container, path: at } of visitContainers(spec, path)) {
    const resources = objectAt(container, 'resources');
    for (const key of ['limits', 'requests']) {
      yield* amountWarnings(objectAt(resources, key) ?? {}, `${at}.resources.${key}`);
    }
    yield* repeats(objectsAt(container, 'env'), 'name', `${at}.env`);
  }
}

/** Warnings about amounts of bytes by resource: bytes come whole. */
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
