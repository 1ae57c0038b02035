/** The labels by which a job finds its pods: generated on its template, and checked where the writer sets them. */
import type { Job } from '../../generated/batch/v1/jobs/types.js';
import type { DraftObject, FieldError } from '../../runtime/contract/index.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { getOwn } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { selectorMatches } from '../shared/label-selector.js';
import { printedSelector } from '../shared/printed-values.js';

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
export function generateJobSelector(job: DraftObject<Job>, names: Naming): void {
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
export function validateJobSelector(job: DraftObject<Job>, names: Naming): readonly FieldError[] {
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
