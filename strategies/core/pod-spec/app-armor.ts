/** AppArmor profiles of pods: fields, and the annotations from before there were fields. */
import type { Pod } from '../../../generated/core/v1/pods/types.js';
import type { AppArmorProfile, Container, PodSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft, DraftObject } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, required, tooLong } from '../../../runtime/objects/field-error.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import { byteLength } from '../../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import { visitContainers } from './operating-system.js';
import { type Annotations, podAnnotationKeys } from './pod-annotations.js';

type Profile = Draft<AppArmorProfile>;

const maxPath = 4095;

/** Checks the profile of a pod or a container. */
export function* checkAppArmor(profile: Profile | undefined, path: string): FieldErrors {
  if (!profile) return;
  const { type = '', localhostProfile: file } = profile;
  const at = `${path}.localhostProfile`;
  if (type !== 'Localhost') {
    if (file === undefined || type === '') return;
    yield invalidValue(at, file, 'can only be set when AppArmor type is Localhost');
  } else if (file === undefined || file === '') {
    yield required(at, 'must be set when AppArmor type is Localhost');
  } else {
    if (file.trim() !== file) yield invalidValue(at, file, 'must not be padded with whitespace');
    if (byteLength(file) > maxPath) yield tooLong(at, maxPath);
  }
}

const runtimeDefault = 'runtime/default';
const unconfined = 'unconfined';
const localhost = 'localhost/';

/** Returns the annotation that means the same as a profile; `undefined` if there is none. */
function annotationOf({ type, localhostProfile = '' }: Profile): string | undefined {
  if (type === 'RuntimeDefault') return runtimeDefault;
  if (type === 'Unconfined') return unconfined;
  return type === 'Localhost' && localhostProfile !== '' ? localhost + localhostProfile : undefined;
}

/** Returns the profile that means the same as an annotation; `undefined` if there is none. */
function profileOf(annotation: string): Profile | undefined {
  if (annotation === runtimeDefault) return { type: 'RuntimeDefault' };
  if (annotation === unconfined) return { type: 'Unconfined' };
  const file = annotation.startsWith(localhost) ? annotation.slice(localhost.length) : '';
  return file === '' ? undefined : { type: 'Localhost', localhostProfile: file };
}

const ownProfile = ({ securityContext }: Draft<Container>): Profile | undefined => securityContext?.appArmorProfile;

/**
 * Nodes and controllers know fields or annotations, so a new pod gets both, in place. Warns about annotations without
 * fields.
 */
export function completeAppArmor(
  { metadata, spec }: DraftObject<Pod>,
  names: Naming,
  warn: (text: string) => void,
): void {
  if (!spec || spec.os?.name === 'windows') return;
  const prefix = podAnnotationKeys(names).appArmor;
  const ofPod = spec.securityContext?.appArmorProfile;
  for (const { container } of visitContainers(spec, '')) {
    const key = prefix + (container.name ?? '');
    const annotation = getOwn(metadata.annotations ?? {}, key);
    const profile = ownProfile(container) ?? ofPod;
    if (profile && annotation === undefined) {
      const text = annotationOf(profile);
      if (text !== undefined) metadata.annotations = { ...metadata.annotations, [key]: text };
    } else if (!profile && annotation !== undefined) {
      warn(appArmorAdvice(`metadata.annotations[${key}]`));
      const meant = profileOf(annotation);
      if (meant) container.securityContext = { ...container.securityContext, appArmorProfile: meant };
    }
  }
}

/** Returns the warning about an annotation. */
export const appArmorAdvice = (path: string): string =>
  `${path}: deprecated since v1.30; use the "appArmorProfile" field instead`;

/** The field and the annotation of a new pod agree. */
export function* checkSameAppArmor(
  spec: Draft<PodSpec>,
  annotations: Annotations,
  path: string,
  names: Naming,
): FieldErrors {
  if (spec.os?.name === 'windows') return;
  const prefix = podAnnotationKeys(names).appArmor;
  for (const { container, path: at } of visitContainers(spec, path)) {
    const profile = ownProfile(container) ?? spec.securityContext?.appArmorProfile;
    const annotation = getOwn(annotations, prefix + (container.name ?? ''));
    if (!profile || annotation === undefined || annotation === annotationOf(profile)) continue;
    const field = `${at}.securityContext.appArmorProfile`;
    const isOtherFile = profile.type === 'Localhost' && annotation.startsWith(localhost);
    yield isOtherFile
      ? forbidden(`${field}.localhostProfile`, 'apparmor profile in annotation and field must match')
      : forbidden(`${field}.type`, 'apparmor type in annotation and field must match');
  }
}
