/** Rules for annotations that set something about pods for which there were no fields when they came. */
import type { PodSpec, Toleration } from '../../../generated/types/core/v1/types.js';
import type { Draft, FieldError, JsonValue } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue } from '../../../runtime/objects/field-error.js';
import { getOwn, isArray, isObject, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { type FieldErrors, maxInt32, parsedAnnotation } from '../../shared/field-checks.js';
import { checkDescendingPath } from '../../shared/names.js';
import { visitContainers } from './operating-system.js';
import { checkTolerations } from './scheduling.js';

export type Annotations = Readonly<Record<string, string>>;

/** The keys of annotations with a meaning for pods, as they are served. */
export function podAnnotationKeys({ rename }: Naming) {
  return {
    /** Marks the mirror of a pod that a node runs from a file of its own. */
    mirror: rename('platform.io/config.mirror'),
    /** Orders the pods of a set that shrinks: the lowest cost goes first. */
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

/** Errors of annotations at a path, about the spec beside them. */
export function* checkPodAnnotations(
  annotations: Annotations,
  spec: Draft<PodSpec>,
  path: string,
  names: Naming,
): FieldErrors {
  const keys = podAnnotationKeys(names);
  const mirror = getOwn(annotations, keys.mirror);
  if (mirror !== undefined && !spec.nodeName) {
    const problem = 'must set spec.nodeName if mirror pod annotation is set';
    yield invalidValue(`${path}[${keys.mirror}]`, mirror, problem);
  }
  const tolerations = getOwn(annotations, keys.tolerations);
  if (tolerations) yield* checkTolerationsText(tolerations, keys.tolerations, path);
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

function* checkTolerationsText(text: string, key: string, path: string): FieldErrors {
  const value = parsedAnnotation(text);
  if (value === undefined || !(value === null || isArray(value))) {
    yield invalidValue(path, key, 'the value is not a JSON list of tolerations');
  } else yield* checkTolerations((value ?? []).map(tolerationOf), `${path}.${key}`);
}

/** A toleration in an annotation, which no schema has decoded. */
function tolerationOf(value: JsonValue): Draft<Toleration> {
  if (!isObject(value)) return {};
  const { tolerationSeconds } = value;
  return {
    ...{ key: stringAt(value, 'key'), operator: stringAt(value, 'operator'), value: stringAt(value, 'value') },
    effect: stringAt(value, 'effect'),
    ...(typeof tolerationSeconds === 'number' && { tolerationSeconds }),
  };
}

/** A number of 32 bits, written without a plus, and without leading zeros where it is not negative. */
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

/** Errors of changes of annotations that stay as they are for the life of the pod. */
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
