/** Pod templates: the pods that a workload makes, checked and completed as pods are. */
import type { PodTemplateSpec } from '../../../generated/types/core/v1/types.js';
import type { Draft, FieldError } from '../../../runtime/contract/index.js';
import { forbidden } from '../../../runtime/objects/field-error.js';
import { validateAnnotations, validateLabels } from '../../../runtime/objects/metadata-rules.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { firstErrors } from '../../shared/field-checks.js';
import { checkPodAnnotations } from './pod-annotations.js';
import { canonicalizePodSpec } from './pod-defaults.js';
import { validatePodSpec } from './pod-spec.js';
import { podSpecWarnings } from './pod-warnings.js';

/** A template as strategies see it. */
export type PodTemplate = Draft<PodTemplateSpec>;

/** Fills in the defaults of a template's pods that the schema cannot say. */
export const canonicalizePodTemplate = (template: PodTemplate | undefined): void => canonicalizePodSpec(template?.spec);

/** Errors of a template; `path` is the template's own, as in `spec.template`. */
export function validatePodTemplate(
  template: PodTemplate | undefined,
  path: string,
  names: Naming,
): readonly FieldError[] {
  const { metadata, spec = {} } = template ?? {};
  const annotationsPath = annotationsOf(path);
  return [
    ...templateMetadataErrors(template, path),
    ...validatePodSpec(spec, `${path}.spec`, { names, annotations: metadata?.annotations, annotationsPath }),
    ...(spec.ephemeralContainers === undefined
      ? []
      : [forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]),
  ];
}

const annotationsOf = (path: string): string => `${path}.annotations`;

/** Errors of the annotations of a template that set something about its pods. */
export const templateAnnotationErrors = (
  { metadata, spec = {} }: PodTemplate = {},
  path: string,
  names: Naming,
): readonly FieldError[] =>
  firstErrors(checkPodAnnotations(metadata?.annotations ?? {}, spec, annotationsOf(path), names));

/** Errors of the labels and annotations of a template. */
export function templateMetadataErrors(template: PodTemplate | undefined, path: string): readonly FieldError[] {
  const { labels = {}, annotations = {} } = template?.metadata ?? {};
  return [...validateLabels(labels, `${path}.labels`), ...validateAnnotations(annotations, `${path}.annotations`)];
}

/** Warnings about the pods of a template; `path` is the template's own. */
export const podTemplateWarnings = (
  template: PodTemplate | undefined,
  path: string,
  names: Naming,
): readonly string[] =>
  podSpecWarnings(template?.spec ?? {}, `${path}.spec`, { names, annotations: template?.metadata?.annotations });
