/** Job: its defaults, its labels, the rules for it and its changes, and its columns. */
import { defineJobHandlers } from '../../generated/batch/v1/jobs/handlers.js';
import type { Job } from '../../generated/batch/v1/jobs/types.js';
import type { JobSpec, JobStatus } from '../../generated/types/batch/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { type BadValue, duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { getOwn } from '../../runtime/objects/guards.js';
import { dns1123Label } from '../../runtime/objects/names/dns-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { humanDuration } from '../../runtime/objects/time.js';
import { containersText, imagesText, selectorText } from '../apps/workload-cells.js';
import { unselectedErrors } from '../apps/workload-selector.js';
import { podNameWarnings, templateWarnings } from '../apps/workload-warnings.js';
import { canonicalizePodTemplate, type PodTemplate } from '../core/pod-spec/pod-template.js';
import { notNegativeFields } from '../shared/counts.js';
import { selectorMatches, validateLabelSelector } from '../shared/label-selector.js';
import { printedSelector } from '../shared/printed-values.js';
import { checkedJobFields, isIndexed, validateJobSpec } from './job-spec.js';

// The labels by which a job finds its pods: generated on its template, and checked where the writer sets them.

type Labels = Readonly<Record<string, string>>;

const uidLabel = 'batch.platform.io/controller-uid';
const nameLabel = 'batch.platform.io/job-name';

/** Labels with the identifier and the name of a job, the older name of each before the newer one. */
function expectedLabels({ metadata }: DraftObject<Job>, names: Naming): Labels {
  const { uid = '', name = '' } = metadata;
  return {
    'controller-uid': uid,
    'job-name': name,
    [names.rename(uidLabel)]: uid,
    [names.rename(nameLabel)]: name,
  };
}

/**
 * Gives a new job's pods its labels, and the job a selector for them. Labels that are there already stay. A job that has
 * no labels of its own, or has taken the very ones of its pods, gets these, too.
 */
function generateJobSelector(job: DraftObject<Job>, names: Naming): void {
  const { spec, metadata } = job;
  if (!spec || spec.manualSelector) return;
  const { template, selector } = spec;
  const ofPods = template?.metadata?.labels;
  const labels = { ...expectedLabels(job, names), ...ofPods };
  const hasOwn = metadata.labels !== ofPods && Object.keys(metadata.labels ?? {}).length > 0;
  if (!hasOwn) metadata.labels = { ...labels };
  spec.template = { ...template, metadata: { ...template?.metadata, labels } };
  const matchLabels = { [names.rename(uidLabel)]: metadata.uid ?? '', ...selector?.matchLabels };
  spec.selector = { ...selector, matchLabels };
}

/** Errors of labels and selector that are not the generated ones. */
function validateJobSelector(job: DraftObject<Job>, names: Naming): readonly FieldError[] {
  const { manualSelector, selector, template } = job.spec ?? {};
  if (manualSelector || selector === undefined) return [];
  const expected = expectedLabels(job, names);
  const errors = Object.entries(expected).flatMap(([label, value]) =>
    labelErrors(template?.metadata?.labels ?? {}, label, value),
  );
  if (selectorMatches(selector, expected)) return errors;
  return [...errors, invalidValue('spec.selector', printedSelector(selector), '`selector` not auto-generated')];
}

function labelErrors(labels: Labels, label: string, expected: string): readonly FieldError[] {
  const path = `spec.template.metadata.labels[${label}]`;
  const value = getOwn(labels, label);
  if (value === undefined) return [required(path, `must be '${expected}'`)];
  return value === expected ? [] : [invalidValue(path, value, `must be '${expected}'`)];
}

// Rules for changes of a job's template: none, but for where its pods may run while the job has not begun.

/** The error of a template that has changed where it may not. */
function validateTemplateChange(job: DraftObject<Job>, old: DraftObject<Job>): readonly FieldError[] {
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

export const defineJobs = (names: Naming): KindHandlers =>
  defineJobHandlers({
    errorOrder: checkedJobFields('spec'),
    repeatsMetadataErrors: true,
    repeatsErrors: true,
    canonicalize(job) {
      if (job.spec) setDefaults(job, job.spec);
    },
    prepareForCreate(job) {
      generateJobSelector(job, names);
      markTracked(job, names);
    },
    validate: (job, { subresource }) => (subresource === 'status' ? statusErrors(job.status) : jobErrors(job, names)),
    validateUpdate: (job, old, { subresource }) => (subresource === 'status' ? [] : changeErrors(job, old)),
    warn: (job, old) => [...podNameWarnings(job, old), ...templateWarnings(job, old, names)],
    propagation: (version) => (version === 'v1' ? 'Orphan' : 'Background'),
    orphanWarning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
    columns: {
      Completions: ({ spec = {}, status = {} }) => completionsText(spec, status),
      Duration: ({ status = {} }, now) => durationText(status, now),
      Selector: ({ spec }) => selectorText(spec?.selector),
      Containers: ({ spec }) => containersText(spec?.template),
      Images: ({ spec }) => imagesText(spec?.template),
    },
  });

/** Unless the writer says otherwise, a job runs once, with one pod at a time and a few retries. */
function setDefaults({ metadata }: DraftObject<Job>, spec: Draft<JobSpec>): void {
  const labels = spec.template?.metadata?.labels;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= 6;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
  canonicalizePodTemplate(spec.template);
}

/** Says for older controllers that pods are counted by their finalizers, as they are of every job. */
function markTracked({ metadata }: DraftObject<Job>, { rename }: Naming): void {
  metadata.annotations = { ...metadata.annotations, [rename('batch.platform.io/job-tracking')]: '' };
}

function jobErrors(job: DraftObject<Job>, names: Naming): readonly FieldError[] {
  const { spec = {}, metadata } = job;
  return [
    ...validateJobSelector(job, names),
    ...validateJobSpec(spec, 'spec', names),
    ...(spec.selector === undefined ? [required('spec.selector')] : []),
    ...validateLabelSelector(spec.selector, 'spec.selector'),
    ...unselectedErrors(spec),
    ...hostNameErrors(metadata.name ?? '', spec),
  ];
}

/** The hosts of an indexed job's pods have names made of the job's name and their number. */
function hostNameErrors(name: string, spec: Draft<JobSpec>): readonly FieldError[] {
  const { completions = 0 } = spec;
  const longest = `${name}-${completions - 1}`;
  if (!isIndexed(spec) || completions <= 0 || dns1123Label(longest).length === 0) return [];
  return [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

function changeErrors(job: DraftObject<Job>, old: DraftObject<Job>): readonly FieldError[] {
  const { spec = {} } = job;
  const { spec: before = {} } = old;
  return [
    ...completionsChangeErrors(spec, before),
    ...fixedErrors(spec, before, 'selector', printedSelector(spec.selector)),
    ...validateTemplateChange(job, old),
    ...fixedErrors(spec, before, 'completionMode'),
    ...fixedErrors(spec, before, 'podFailurePolicy'),
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

/** The completions of an indexed job may change with its parallelism, if both are equal. */
function completionsChangeErrors(spec: Draft<JobSpec>, before: Draft<JobSpec>): readonly FieldError[] {
  const { completions, parallelism } = spec;
  if (!isIndexed(spec)) return fixedErrors(spec, before, 'completions');
  if (completions === undefined || completions === before.completions || completions === parallelism) return [];
  const problem = 'can only be modified in tandem with spec.parallelism';
  return [invalidValue('spec.completions', completions, problem)];
}

function statusErrors(status: Draft<JobStatus> = {}): readonly FieldError[] {
  const pods = status.uncountedTerminatedPods ?? {};
  const seen = new Set<string>();
  return [
    ...notNegativeFields(status, ['active', 'succeeded', 'failed', 'ready'], 'status'),
    ...uidErrors(pods.succeeded, seen, 'status.uncountedTerminatedPods.succeeded'),
    ...uidErrors(pods.failed, seen, 'status.uncountedTerminatedPods.failed'),
  ];
}

/** A pod is counted once, so the two lists name it once. */
function uidErrors(uids: readonly string[] = [], seen: Set<string>, path: string): readonly FieldError[] {
  return uids.flatMap((uid, i) => {
    if (uid === '') return [invalidValue(`${path}[${i}]`, uid, 'must not be empty')];
    if (seen.has(uid)) return [duplicate(`${path}[${i}]`, uid)];
    seen.add(uid);
    return [];
  });
}

/** As in `1/3`, or `1/1 of 2` where any of several pods may finish the job. */
function completionsText(
  { completions, parallelism = 0 }: Draft<JobSpec>,
  { succeeded = 0 }: Draft<JobStatus>,
): string {
  if (completions !== undefined) return `${succeeded}/${completions}`;
  return parallelism > 1 ? `${succeeded}/1 of ${parallelism}` : `${succeeded}/1`;
}

function durationText({ startTime, completionTime }: Draft<JobStatus>, now: number): string {
  if (startTime === undefined) return '';
  return humanDuration((completionTime === undefined ? now : Date.parse(completionTime)) - Date.parse(startTime));
}
