/** Labels by which a job finds its pods: put on its template, and held against what the writer says. */
import type { ApiObject, FieldError, JsonObject } from '../../runtime/contract/index.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { templateLabels } from '../apps/running-template.js';
import { selectorMatches } from '../shared/label-selector.js';
import { printedSelector } from '../shared/printed-values.js';

const uidLabel = 'batch.platform.io/controller-uid';
const nameLabel = 'batch.platform.io/job-name';

/** Labels with the identifier and the name of a job, the older name of each before the newer one. */
function expectedLabels({ metadata }: ApiObject, names: Naming): JsonObject {
  const { uid = '', name = '' } = metadata;
  return {
    'controller-uid': uid,
    'job-name': name,
    [names.rename(uidLabel)]: uid,
    [names.rename(nameLabel)]: name,
  };
}

/** Gives a new job's pods its labels, and the job a selector for them. Labels that are there already stay. */
export function generateJobSelector(job: ApiObject, names: Naming): void {
  const spec = objectAt(job, 'spec');
  if (!spec || spec.manualSelector === true) return;
  const template = objectAt(spec, 'template') ?? {};
  const metadata = objectAt(template, 'metadata') ?? {};
  const labels = { ...expectedLabels(job, names), ...objectAt(metadata, 'labels') };
  spec.template = { ...template, metadata: { ...metadata, labels } };
  const selector = objectAt(spec, 'selector');
  const matchLabels = { [names.rename(uidLabel)]: job.metadata.uid ?? '', ...objectAt(selector, 'matchLabels') };
  spec.selector = { ...selector, matchLabels };
}

/** Errors of labels and selector where they are not those that a job is given. */
export function validateJobSelector(job: ApiObject, names: Naming): readonly FieldError[] {
  const spec = objectAt(job, 'spec');
  if (spec === undefined || spec.manualSelector === true || spec.selector === undefined) return [];
  const labels = templateLabels(objectAt(spec, 'template'));
  const expected = expectedLabels(job, names);
  const selected = selectorMatches(spec.selector, expected);
  return [
    ...Object.keys(expected).flatMap((label) => labelErrors(labels, label, stringAt(expected, label))),
    ...(selected
      ? []
      : [invalidValue('spec.selector', printedSelector(spec.selector), '`selector` not auto-generated')]),
  ];
}

function labelErrors(labels: JsonObject | undefined, label: string, expected: string): readonly FieldError[] {
  const path = 'spec.template.metadata.labels';
  const value = stringAt(labels, label);
  if (labels?.[label] === undefined) return [required(`${path}[${label}]`, `must be '${expected}'`)];
  return value === expected ? [] : [invalidValue(`${path}[${label}]`, value, `must be '${expected}'`)];
}
