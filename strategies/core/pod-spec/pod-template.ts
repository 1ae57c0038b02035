/** Pod templates: the pods that a workload makes, checked and completed as pods are. */
import type { FieldError, JsonObject } from '../../../runtime/contract/index.js';
import { forbidden } from '../../../runtime/objects/field-error.js';
import { isStringMap, objectAt } from '../../../runtime/objects/guards.js';
import { validateAnnotations, validateLabels } from '../../../runtime/objects/metadata-rules.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { canonicalizePodSpec } from './pod-defaults.js';
import { validatePodSpec } from './pod-spec.js';
import { podSpecWarnings } from './pod-warnings.js';

/** Fills in the defaults of a template's pods that the schema cannot say. */
export function canonicalizePodTemplate(template: JsonObject | undefined): void {
  canonicalizePodSpec(objectAt(template, 'spec'));
}

/** Errors of a template; `path` is the template's own, as in `spec.template`. */
export function validatePodTemplate(
  template: JsonObject | undefined,
  path: string,
  names: Naming,
): readonly FieldError[] {
  const metadata = objectAt(template, 'metadata');
  const labels = objectAt(metadata, 'labels');
  const annotations = objectAt(metadata, 'annotations');
  const spec = objectAt(template, 'spec') ?? {};
  return [
    ...(isStringMap(labels) ? validateLabels(labels, `${path}.labels`) : []),
    ...(isStringMap(annotations) ? validateAnnotations(annotations, `${path}.annotations`) : []),
    ...validatePodSpec(spec, `${path}.spec`, { names, annotations, annotationsPath: `${path}.annotations` }),
    ...(spec.ephemeralContainers === undefined
      ? []
      : [forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]),
  ];
}

/** Warnings about the pods of a template; `path` is the template's own. */
export function podTemplateWarnings(template: JsonObject | undefined, path: string, names: Naming): readonly string[] {
  return podSpecWarnings(objectAt(template, 'spec') ?? {}, `${path}.spec`, {
    names,
    metadata: objectAt(template, 'metadata'),
  });
}
