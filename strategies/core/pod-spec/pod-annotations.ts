/** Annotations that configure pods, from before there were fields for it. */
import type { PodSpec, Toleration } from '../../../generated/types/core/v1/types.js';
import type { Draft, FieldError, JsonValue } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue } from '../../../runtime/objects/field-error.js';
import { getOwn, isArray, isObject, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import type { Release } from '../../../runtime/objects/release.js';
import { type FieldErrors, maxInt32, parsedAnnotation } from '../../shared/field-checks.js';
import { type Annotated, checkDescendingPath, dropAnnotations } from '../../shared/names.js';
import type { Serving } from '../../shared/serving.js';
import { visitContainers } from './operating-system.js';
import { checkTolerations } from './scheduling.js';

export type Annotations = Readonly<Record<string, string>>;

/** Returns the annotation keys with a meaning for pods, in the naming that is served. */
export function podAnnotationKeys({ rename }: Naming) {
  return {
    /** Marks the mirror of a static pod of a node. */
    mirror: rename('platform.io/config.mirror'),
    /** The order in which a shrinking set removes pods: the lowest cost first. */
    deletionCost: rename('controller.platform.io/pod-deletion-cost'),
    seccompPod: rename('seccomp.security.alpha.platform.io/pod'),
    seccompContainer: rename('container.seccomp.security.alpha.platform.io/'),
    appArmor: rename('container.apparmor.security.beta.platform.io/'),
    sysctls: rename('security.alpha.platform.io/sysctls'),
    unsafeSysctls: rename('security.alpha.platform.io/unsafe-sysctls'),
    tolerations: rename('scheduler.alpha.platform.io/tolerations'),
    criticalPod: rename('scheduler.alpha.platform.io/critical-pod'),
  };
}

/** Init containers from before they were a field. Nothing reads these annotations any more. */
const oldInitContainers = ['alpha', 'beta'].flatMap((stage) =>
  ['init-containers', 'init-container-statuses'].map((name) => `pod.${stage}.platform.io/${name}`),
);

/** Drops the annotations that kept init containers, in place. */
export function dropOldInitContainers(metadata: Annotated | undefined, { rename }: Naming): void {
  const keys = Object.keys(metadata?.annotations ?? {});
  // Few pods have such keys, so names are only looked up for those.
  if (metadata && keys.some((key) => key.includes('/init-container'))) {
    dropAnnotations(metadata, oldInitContainers.map(rename));
  }
}

/** Checks annotations against the spec beside them. */
export function* checkPodAnnotations(
  annotations: Annotations,
  spec: Draft<PodSpec>,
  path: string,
  { names, release }: Serving,
): FieldErrors {
  const keys = podAnnotationKeys(names);
  const mirror = getOwn(annotations, keys.mirror);
  if (mirror !== undefined && !spec.nodeName) {
    const problem = 'must set spec.nodeName if mirror pod annotation is set';
    yield invalidValue(`${path}[${keys.mirror}]`, mirror, problem);
  }
  const tolerations = getOwn(annotations, keys.tolerations);
  if (tolerations) yield* checkTolerationsText(tolerations, keys.tolerations, path, release);
  const cost = getOwn(annotations, keys.deletionCost);
  if (cost !== undefined && !isCost(cost)) {
    yield invalidValue(`${path}[${keys.deletionCost}]`, cost, 'must be a 32bit integer');
  }
  const ofPod = getOwn(annotations, keys.seccompPod);
  if (ofPod !== undefined) yield* checkSeccomp(ofPod, `${path}.${keys.seccompPod}`);
  for (const [key, profile] of Object.entries(annotations)) {
    if (key.startsWith(keys.seccompContainer)) yield* checkSeccomp(profile, `${path}.${key}`);
  }
  yield* checkAppArmor(annotations, spec, path, keys.appArmor);
}

function* checkTolerationsText(text: string, key: string, path: string, release: Release): FieldErrors {
  const value = parsedAnnotation(text);
  if (value === undefined || !(value === null || isArray(value))) {
    yield invalidValue(path, key, 'the value is not a JSON list of tolerations');
  } else yield* checkTolerations((value ?? []).map(tolerationOf), `${path}.${key}`, release);
}

/** Reads a toleration from an annotation, which no schema has decoded. */
function tolerationOf(value: JsonValue): Draft<Toleration> {
  if (!isObject(value)) return {};
  const { tolerationSeconds } = value;
  return {
    ...{ key: stringAt(value, 'key'), operator: stringAt(value, 'operator'), value: stringAt(value, 'value') },
    effect: stringAt(value, 'effect'),
    ...(typeof tolerationSeconds === 'number' && { tolerationSeconds }),
  };
}

/** Returns whether a text is a 32-bit number without a plus sign or leading zeros (allowed after a minus). */
function isCost(text: string): boolean {
  if (!/^(0|-\d+|[1-9]\d*)$/.test(text)) return false;
  return Number(text) >= -maxInt32 - 1 && Number(text) <= maxInt32;
}

function* checkSeccomp(profile: string, path: string): FieldErrors {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return;
  const prefix = 'localhost/';
  if (profile.startsWith(prefix)) yield* checkDescendingPath(path, profile.slice(prefix.length));
  else yield invalidValue(path, profile, 'must be a valid seccomp profile');
}

function* checkAppArmor(annotations: Annotations, spec: Draft<PodSpec>, path: string, prefix: string): FieldErrors {
  const asked = Object.entries(annotations).filter(([key]) => key.startsWith(prefix));
  if (asked.length === 0) return;
  const containers = new Set([...visitContainers(spec, '')].map(({ container }) => container.name ?? ''));
  for (const [key, profile] of asked) {
    const name = key.slice(prefix.length);
    if (!containers.has(name)) yield invalidValue(`${path}[${key}]`, name, 'container not found');
    if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) continue;
    yield invalidValue(`${path}[${key}]`, profile, `invalid AppArmor profile name: "${profile}"`);
  }
}

/** Some annotations never change in the life of a pod. */
export function podAnnotationChanges(
  annotations: Annotations,
  old: Annotations,
  path: string,
  names: Naming,
): readonly FieldError[] {
  const { appArmor, mirror } = podAnnotationKeys(names);
  const nameOf = (key: string): string | undefined =>
    key === mirror ? 'mirror pod annotation' : key.startsWith(appArmor) ? 'AppArmor annotations' : undefined;
  const changed = Object.keys(old).filter((key) => nameOf(key) && getOwn(annotations, key) !== getOwn(old, key));
  const added = Object.keys(annotations).filter((key) => nameOf(key) && getOwn(old, key) === undefined);
  return [
    ...changed.map((key) => forbidden(`${path}[${key}]`, `may not remove or update ${nameOf(key)}`)),
    ...added.map((key) => forbidden(`${path}[${key}]`, `may not add ${nameOf(key)}`)),
  ];
}
