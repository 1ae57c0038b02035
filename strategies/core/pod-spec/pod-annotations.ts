/** Annotations that say something about pods, from times before there were fields for it. */
import type { FieldError, JsonObject } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue } from '../../../runtime/objects/field-error.js';
import { getOwn, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { type FieldErrors, maxInt32 } from '../../shared/field-checks.js';
import { checkDescendingPath } from '../../shared/paths.js';
import { visitContainers } from './visit-containers.js';

/** The keys under which pods are told more about, as they are served. */
export function podAnnotationKeys({ rename }: Naming) {
  return {
    /** Pods that a node runs without being told to, shown as objects. */
    mirror: rename('platform.io/config.mirror'),
    /** How gladly a pod is given up when a set shrinks. */
    deletionCost: rename('controller.platform.io/pod-deletion-cost'),
    seccompPod: rename('seccomp.security.alpha.platform.io/pod'),
    seccompContainer: rename('container.seccomp.security.alpha.platform.io/'),
    appArmor: rename('container.apparmor.security.beta.platform.io/'),
    sysctls: rename('security.alpha.platform.io/sysctls'),
    unsafeSysctls: rename('security.alpha.platform.io/unsafe-sysctls'),
    criticalPod: rename('scheduler.alpha.platform.io/critical-pod'),
  };
}

/** Errors of annotations at a path, about the spec beside them. */
export function* checkPodAnnotations(
  annotations: JsonObject,
  spec: JsonObject,
  path: string,
  names: Naming,
): FieldErrors {
  const keys = podAnnotationKeys(names);
  const mirror = getOwn(annotations, keys.mirror);
  if (mirror !== undefined && stringAt(spec, 'nodeName') === '') {
    const problem = 'must set spec.nodeName if mirror pod annotation is set';
    yield invalidValue(`${path}[${keys.mirror}]`, mirror, problem);
  }
  const cost = stringAt(annotations, keys.deletionCost);
  if (getOwn(annotations, keys.deletionCost) !== undefined && !isCost(cost)) {
    yield invalidValue(`${path}[${keys.deletionCost}]`, cost, 'must be a 32bit integer');
  }
  for (const [key, value] of Object.entries(annotations)) {
    if (key !== keys.seccompPod && !key.startsWith(keys.seccompContainer)) continue;
    yield* checkSeccomp(typeof value === 'string' ? value : '', `${path}[${key}]`);
  }
  yield* checkAppArmor(annotations, spec, path, keys.appArmor);
}

/** A number of 32 bits, written in the one way that has no plus and no leading zeros. */
function isCost(text: string): boolean {
  if (!/^(0|-?[1-9]\d{0,9})$/.test(text)) return false;
  return Number(text) >= -maxInt32 - 1 && Number(text) <= maxInt32;
}

function* checkSeccomp(profile: string, path: string): FieldErrors {
  if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return;
  const prefix = 'localhost/';
  if (profile.startsWith(prefix)) yield* checkDescendingPath(path, profile.slice(prefix.length));
  else yield invalidValue(path, profile, 'must be a valid seccomp profile');
}

function* checkAppArmor(annotations: JsonObject, spec: JsonObject, path: string, prefix: string): FieldErrors {
  const asked = Object.entries(annotations).filter(([key]) => key.startsWith(prefix));
  if (asked.length === 0) return;
  const containers = new Set([...visitContainers(spec, '')].map(({ container }) => stringAt(container, 'name')));
  for (const [key, value] of asked) {
    const name = key.slice(prefix.length);
    const profile = typeof value === 'string' ? value : '';
    if (!containers.has(name)) yield invalidValue(`${path}[${key}]`, name, 'container not found');
    if (['', 'runtime/default', 'unconfined'].includes(profile) || profile.startsWith('localhost/')) continue;
    yield invalidValue(`${path}[${key}]`, profile, `invalid AppArmor profile name: "${profile}"`);
  }
}

/** Errors of a change of annotations: some are as lasting as the pod. */
export function podAnnotationChanges(
  annotations: JsonObject,
  old: JsonObject,
  path: string,
  names: Naming,
): readonly FieldError[] {
  const { appArmor, mirror } = podAnnotationKeys(names);
  const what = (key: string): string | undefined =>
    key === mirror ? 'mirror pod annotation' : key.startsWith(appArmor) ? 'AppArmor annotations' : undefined;
  const changed = Object.keys(old).filter((key) => what(key) && getOwn(annotations, key) !== getOwn(old, key));
  const added = Object.keys(annotations).filter((key) => what(key) && getOwn(old, key) === undefined);
  return [
    ...changed.map((key) => forbidden(`${path}[${key}]`, `may not remove or update ${what(key)}`)),
    ...added.map((key) => forbidden(`${path}[${key}]`, `may not add ${what(key)}`)),
  ];
}
