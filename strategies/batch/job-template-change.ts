/** Rules for changes of a job's template: none, but for where its pods may run while the job has not begun. */
import type { Job } from '../../generated/batch/v1/jobs/types.js';
import type { DraftObject, FieldError } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import type { PodTemplate } from '../core/pod-spec/pod-template.js';

/** The error of a template that has changed where it may not. */
export function validateTemplateChange(job: DraftObject<Job>, old: DraftObject<Job>): readonly FieldError[] {
  const { template = {} } = job.spec ?? {};
  const { template: before = {} } = old.spec ?? {};
  const isSame = mayMove(old) ? equal(fixedPart(template), fixedPart(before)) : equal(template, before);
  return isSame ? [] : [invalidValue('spec.template', template, 'field is immutable')];
}

/** Whether a job was suspended before it ever ran. */
const mayMove = ({ spec, status }: DraftObject<Job>): boolean =>
  spec?.suspend === true && status?.startTime === undefined;

/** A template without labels, annotations and the fields that say where pods may run. */
function fixedPart({ metadata, spec, ...template }: PodTemplate): PodTemplate {
  const { labels: _labels, annotations: _annotations, ...fixedMetadata } = metadata ?? {};
  const { nodeSelector: _nodes, tolerations: _tolerations, schedulingGates: _gates, affinity, ...others } = spec ?? {};
  const { nodeAffinity: _nodeAffinity, ...podAffinity } = affinity ?? {};
  const fixedSpec = Object.keys(podAffinity).length === 0 ? others : { ...others, affinity: podAffinity };
  return { ...template, metadata: fixedMetadata, spec: fixedSpec };
}
