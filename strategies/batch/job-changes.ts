/** How the spec of a job may change. */
import type { Job } from '../../generated/batch/v1/jobs/types.js';
import type { JobSpec } from '../../generated/types/batch/v1/types.js';
import type { PodSpec } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { type BadValue, invalidValue } from '../../runtime/objects/field-error.js';
import type { Release } from '../../runtime/objects/release.js';
import type { PodTemplate } from '../core/pod-spec/pod-template.js';
import { printedSelector } from '../shared/printed-values.js';
import { isIndexed } from './job-spec.js';

/** Checks a change of the spec. */
export function jobUpdateErrors(job: DraftObject<Job>, old: DraftObject<Job>, release: Release): readonly FieldError[] {
  const { spec = {} } = job;
  const { spec: before = {} } = old;
  return [
    ...completionsChangeErrors(spec, before),
    ...fixedErrors(spec, before, 'selector', printedSelector(spec.selector)),
    ...validateTemplateChange(job, old, release),
    ...fixedErrors(spec, before, 'completionMode'),
    ...fixedErrors(spec, before, 'podFailurePolicy'),
    ...(['backoffLimitPerIndex', 'managedBy', 'successPolicy'] as const).flatMap((field) =>
      fixedErrors(spec, before, field),
    ),
  ];
}

function fixedErrors(
  spec: Draft<JobSpec>,
  before: Draft<JobSpec>,
  field: keyof JobSpec,
  printed: BadValue = spec[field],
): readonly FieldError[] {
  return equal(spec[field], before[field]) ? [] : [invalidValue(`spec.${field}`, printed, 'field is immutable')];
}

/** The completions of an indexed job may change together with its parallelism if both are equal. */
function completionsChangeErrors(spec: Draft<JobSpec>, before: Draft<JobSpec>): readonly FieldError[] {
  const { completions, parallelism } = spec;
  if (!isIndexed(spec)) return fixedErrors(spec, before, 'completions');
  if (completions === undefined || completions === before.completions || completions === parallelism) return [];
  const problem = 'can only be modified in tandem with spec.parallelism';
  return [invalidValue('spec.completions', completions, problem)];
}

// The template of a job must not change, except for where its pods may run, and only before the job starts.

/** Returns the error of a template that must not change. */
function validateTemplateChange(job: DraftObject<Job>, old: DraftObject<Job>, release: Release): readonly FieldError[] {
  const { template = {} } = job.spec ?? {};
  const { template: before = {} } = old.spec ?? {};
  const resizes = release.does('suspendedJobsResize') && isSuspended(old);
  const moves = release.does('suspendedJobsResize') ? isSuspended(old) : mayMove(old);
  const part = (one: PodTemplate): PodTemplate => {
    const fixed = moves ? fixedPart(one) : one;
    return resizes ? withoutAmounts(fixed) : fixed;
  };
  const isSame = equal(part(template), part(before));
  return isSame ? [] : [invalidValue('spec.template', template, 'field is immutable')];
}

/** Returns whether a job is suspended and has no pods. */
const isSuspended = ({ spec, status }: DraftObject<Job>): boolean => spec?.suspend === true && !status?.active;

/** Copies a template without the requests and limits of its containers. */
function withoutAmounts({ spec = {}, ...template }: PodTemplate): PodTemplate {
  const strip = (list: Draft<PodSpec>['containers']) => list?.map(({ resources: _amounts, ...one }) => one);
  const { containers, initContainers, ...others } = spec;
  const lists = { containers: strip(containers), initContainers: strip(initContainers) };
  return { ...template, spec: { ...others, ...lists } };
}

/** Returns whether a job was suspended before it ever ran. */
const mayMove = ({ spec, status }: DraftObject<Job>): boolean =>
  spec?.suspend === true && status?.startTime === undefined;

/** Copies a template without labels, annotations and the fields that say where pods may run. */
function fixedPart({ metadata, spec, ...template }: PodTemplate): PodTemplate {
  const { labels: _labels, annotations: _annotations, ...fixedMetadata } = metadata ?? {};
  const { nodeSelector: _nodes, tolerations: _tolerations, schedulingGates: _gates, affinity, ...others } = spec ?? {};
  const { nodeAffinity: _nodeAffinity, ...podAffinity } = affinity ?? {};
  const fixedSpec = Object.keys(podAffinity).length === 0 ? others : { ...others, affinity: podAffinity };
  return { ...template, metadata: fixedMetadata, spec: fixedSpec };
}
