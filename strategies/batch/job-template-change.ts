/** Changes of a job's template: none, but for where its pods may run, as long as the job has not begun. */
import type { ApiObject, FieldError, JsonObject } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { objectAt } from '../../runtime/objects/guards.js';

/** Parts of the pods that say where they may run. */
const placement = ['nodeSelector', 'tolerations', 'schedulingGates'] as const;

/** The error of a template that has changed in what may not. */
export function validateTemplateChange(job: ApiObject, old: ApiObject): readonly FieldError[] {
  const template = templateOf(job);
  const before = templateOf(old);
  const same = mayMove(old) ? equal(fixedPart(template), fixedPart(before)) : equal(template, before);
  return same ? [] : [invalidValue('spec.template', template, 'field is immutable')];
}

const templateOf = (job: ApiObject): JsonObject => objectAt(objectAt(job, 'spec'), 'template') ?? {};

/** Whether a job was suspended before it ever ran. */
function mayMove(old: ApiObject): boolean {
  return objectAt(old, 'spec')?.suspend === true && objectAt(old, 'status')?.startTime === undefined;
}

/** A template without labels, annotations and what says where pods may run. */
function fixedPart(template: JsonObject): JsonObject {
  const { labels: _labels, annotations: _annotations, ...metadata } = objectAt(template, 'metadata') ?? {};
  const spec = { ...objectAt(template, 'spec') };
  for (const field of placement) delete spec[field];
  const { nodeAffinity: _nodes, ...affinity } = objectAt(spec, 'affinity') ?? {};
  delete spec.affinity;
  return { ...template, metadata, spec: Object.keys(affinity).length === 0 ? spec : { ...spec, affinity } };
}
