/** Job: its defaults, its labels, the rules for it and its changes, and its columns. */
import { defineJobHandlers } from '../../generated/batch/v1/jobs/handlers.js';
import type { Job } from '../../generated/batch/v1/jobs/types.js';
import type { JobSpec, JobStatus } from '../../generated/types/batch/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { getOwn } from '../../runtime/objects/guards.js';
import { dns1123Label } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { humanDuration } from '../../runtime/objects/scan/time.js';
import {
  containersText,
  imagesText,
  podNameWarnings,
  selectorText,
  templateWarnings,
  unselectedErrors,
} from '../apps/workloads.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { notNegativeFields } from '../shared/counts.js';
import { printedSelector } from '../shared/printed-values.js';
import { selectorMatches, validateLabelSelector } from '../shared/selectors.js';
import type { Serving } from '../shared/serving.js';
import { jobUpdateErrors } from './job-changes.js';
import { checkedJobFields, isIndexed, validateJobSpec } from './job-spec.js';
import { jobStatusErrors } from './job-status.js';

// The labels by which a job finds its pods: generated in its template, or checked if the writer sets them.

type Labels = Readonly<Record<string, string>>;

const uidLabel = 'batch.platform.io/controller-uid';
const nameLabel = 'batch.platform.io/job-name';

export const defineJobs = (serving: Serving): KindHandlers =>
  defineJobHandlers({
    errorOrder: checkedJobFields('spec'),
    updateChecks: ['metadata', 'fields', 'metadata changes', 'fields', 'field changes'],
    canonicalize(job) {
      if (job.spec) setDefaults(job, job.spec, serving);
    },
    prepareForCreate(job) {
      generateJobSelector(job, serving.names);
      if (!serving.release.does('jobsUnmarked')) markTracked(job, serving.names);
    },
    validate: (job, { subresource }) => (subresource === 'status' ? statusErrors(job.status) : jobErrors(job, serving)),
    validateUpdate(job, old, { subresource }) {
      if (subresource === '') return jobUpdateErrors(job, old, serving.release);
      return serving.release.does('jobStatusChecked') ? jobStatusErrors(job, old) : [];
    },
    warn: (job, old) => [...podNameWarnings(job, old), ...templateWarnings(job, old, serving)],
    propagation: (version) => (version === 'v1' ? 'Orphan' : 'Background'),
    orphanWarning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
    selectableFields: { 'status.successful': ({ status }) => String(status?.succeeded ?? 0) },
    columns: {
      Status: ({ metadata, status = {} }) => statusText(status, metadata.deletionTimestamp !== undefined),
      Completions: ({ spec = {}, status = {} }) => completionsText(spec, status),
      Duration: ({ status = {} }, now) => durationText(status, now),
      Selector: ({ spec }) => selectorText(spec?.selector),
      Containers: ({ spec }) => containersText(spec?.template),
      Images: ({ spec }) => imagesText(spec?.template),
    },
  });

/** Returns the labels with the job's ID and name, each first under its older name. */
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
 * Adds the generated labels to the template and the selector. Existing labels stay. A job without labels of its own, or
 * with exactly the labels of its template, gets them too.
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

/** Checks that labels and selector are the generated ones. */
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

/** By default a job runs once, with one pod at a time and a few retries. */
function setDefaults({ metadata }: DraftObject<Job>, spec: Draft<JobSpec>, serving: Serving): void {
  const labels = spec.template?.metadata?.labels;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= 6;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  if (serving.release.does('replacementsOfPods')) {
    spec.podReplacementPolicy ??= spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed';
  }
  if (labels && Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = labels;
  canonicalizePodTemplate(spec.template, serving);
}

/** Adds the mark by which older controllers know that finalizers count the job's pods. */
function markTracked({ metadata }: DraftObject<Job>, { rename }: Naming): void {
  metadata.annotations = { ...metadata.annotations, [rename('batch.platform.io/job-tracking')]: '' };
}

function jobErrors(job: DraftObject<Job>, serving: Serving): readonly FieldError[] {
  const { spec = {}, metadata } = job;
  return [
    ...validateJobSelector(job, serving.names),
    ...validateJobSpec(spec, 'spec', serving),
    ...(spec.selector === undefined ? [required('spec.selector')] : []),
    ...validateLabelSelector(spec.selector, 'spec.selector'),
    ...unselectedErrors(spec),
    ...hostNameErrors(metadata.name ?? '', spec),
  ];
}

/** The host names of an indexed job's pods consist of the job's name and their index. */
function hostNameErrors(name: string, spec: Draft<JobSpec>): readonly FieldError[] {
  const { completions = 0 } = spec;
  const longest = `${name}-${completions - 1}`;
  if (!isIndexed(spec) || completions <= 0 || dns1123Label(longest).length === 0) return [];
  return [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

function statusErrors(status: Draft<JobStatus> = {}): readonly FieldError[] {
  const pods = status.uncountedTerminatedPods ?? {};
  const seen = new Set<string>();
  return [
    ...notNegativeFields(status, ['active', 'succeeded', 'failed', 'ready', 'terminating'], 'status'),
    ...uidErrors(pods.succeeded, seen, 'status.uncountedTerminatedPods.succeeded'),
    ...uidErrors(pods.failed, seen, 'status.uncountedTerminatedPods.failed'),
  ];
}

/** Each pod is at most once in both lists together, because each entry counts. */
function uidErrors(uids: readonly string[] = [], seen: Set<string>, path: string): readonly FieldError[] {
  return uids.flatMap((uid, i) => {
    if (uid === '') return [invalidValue(`${path}[${i}]`, uid, 'must not be empty')];
    if (seen.has(uid)) return [duplicate(`${path}[${i}]`, uid)];
    seen.add(uid);
    return [];
  });
}

/** Prints `1/3`, or `1/1 of 2` if any of several pods may finish the job. */
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

/** Conditions by which a job is described, the most important first. The one without a name is the deletion. */
const tellingConditions = [
  ['Complete', 'Complete'],
  ['Failed', 'Failed'],
  ['', 'Terminating'],
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
] as const;

function statusText({ conditions }: Draft<JobStatus>, isDeleted: boolean): string {
  const holds = (type: string): boolean =>
    type === '' ? isDeleted : (conditions ?? []).some((one) => one.type === type && one.status === 'True');
  return tellingConditions.find(([type]) => holds(type))?.[1] ?? 'Running';
}
