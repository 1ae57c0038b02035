/** Job: how often and with which pods it runs, which of its fields may change when, its state, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, JsonValue, Strategy } from '../../runtime/contract/index.js';
import { dns1123Label } from '../../runtime/objects/dns-names.js';
import { equal } from '../../runtime/objects/equality.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { isStringArray, isStringMap, objectAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { humanDuration } from '../../runtime/objects/time/human-duration.js';
import { templateLabels } from '../apps/running-template.js';
import { containerCell, selectorText } from '../apps/workload-cells.js';
import { unselectedErrors } from '../apps/workload-selector.js';
import { podNameWarnings, templateWarnings } from '../apps/workload-warnings.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { countAt, notNegativeFields } from '../shared/counts.js';
import { validateLabelSelector } from '../shared/label-selector.js';
import { printedSelector } from '../shared/printed-values.js';
import { generateJobSelector, validateJobSelector } from './job-labels.js';
import { isIndexed, validateJobSpec } from './job-spec.js';
import { validateTemplateChange } from './job-template-change.js';

export function defineJobStrategy(names: Naming): Strategy {
  return {
    kind: 'batch/Job',
    repeatsMetadataErrors: true,
    repeatsErrors: true,
    canonicalize,
    prepareForCreate: (object) => generateJobSelector(object, names),
    validate: (object, { subresource }) => (subresource === 'status' ? statusErrors(object) : jobErrors(object, names)),
    validateUpdate: (object, old, { subresource }) => (subresource === 'status' ? [] : changeErrors(object, old)),
    warnings: (object, old) => [
      ...podNameWarnings(object, old),
      ...templateWarnings(object, old, { template: templateOf, path: 'spec.template', names }),
    ],
    selectableField: (object, path) =>
      path === 'status.successful' ? String(countAt(objectAt(object, 'status'), 'succeeded')) : undefined,
    cell: jobCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');
const templateOf = (object: ApiObject): JsonObject | undefined => objectAt(specOf(object), 'template');

/** Runs once, with one pod at a time, and tries again a few times, unless something else is said. */
function canonicalize(object: ApiObject): void {
  const spec = specOf(object);
  if (!spec) return;
  if (spec.completions === undefined && spec.parallelism === undefined) spec.completions = 1;
  spec.parallelism ??= 1;
  spec.backoffLimit ??= 6;
  spec.completionMode ??= 'NonIndexed';
  spec.suspend ??= false;
  const labels = templateLabels(templateOf(object));
  const own = object.metadata.labels ?? {};
  if (isStringMap(labels) && Object.keys(own).length === 0) object.metadata.labels = { ...labels };
  canonicalizePodTemplate(templateOf(object));
}

function jobErrors(object: ApiObject, names: Naming): FieldError[] {
  const spec = specOf(object);
  return [
    ...validateJobSelector(object, names),
    ...validateJobSpec(spec, 'spec', names),
    ...(spec?.selector === undefined ? [required('spec.selector')] : []),
    ...validateLabelSelector(spec?.selector, 'spec.selector'),
    ...unselectedErrors(spec),
    ...hostNameErrors(object),
  ];
}

/** Hosts of pods with numbers are called after the job, with the number at the end. */
function hostNameErrors(object: ApiObject): readonly FieldError[] {
  const completions = countAt(specOf(object), 'completions');
  if (!isIndexed(specOf(object)) || completions <= 0) return [];
  const name = object.metadata.name ?? '';
  const longest = `${name}-${completions - 1}`;
  if (dns1123Label(longest).length === 0) return [];
  return [invalidValue('metadata.name', name, `will not able to create pod with invalid DNS label: ${longest}`)];
}

function changeErrors(object: ApiObject, old: ApiObject): readonly FieldError[] {
  const spec = specOf(object) ?? {};
  const before = specOf(old) ?? {};
  return [
    ...completionsChangeErrors(spec, before),
    ...fixedErrors(spec, before, 'selector', printedSelector(spec.selector)),
    ...validateTemplateChange(object, old),
    ...fixedErrors(spec, before, 'completionMode', spec.completionMode),
    ...fixedErrors(spec, before, 'podFailurePolicy', spec.podFailurePolicy),
  ];
}

function fixedErrors(
  spec: JsonObject,
  before: JsonObject,
  field: string,
  printed: Parameters<typeof invalidValue>[1],
): readonly FieldError[] {
  return equal(spec[field], before[field]) ? [] : [invalidValue(`spec.${field}`, printed, 'field is immutable')];
}

/** Jobs whose pods have numbers may grow and shrink, if as many pods run at a time as are to be done. */
function completionsChangeErrors(spec: JsonObject, before: JsonObject): readonly FieldError[] {
  const path = 'spec.completions';
  if (!isIndexed(spec)) return fixedErrors(spec, before, 'completions', spec.completions);
  const same = equal(spec.completions, before.completions) || spec.completions === undefined;
  if (same || equal(spec.completions, spec.parallelism)) return [];
  return [invalidValue(path, spec.completions, 'can only be modified in tandem with spec.parallelism')];
}

function statusErrors(object: ApiObject): readonly FieldError[] {
  const status = objectAt(object, 'status');
  const pods = objectAt(status, 'uncountedTerminatedPods');
  const seen = new Set<string>();
  return [
    ...notNegativeFields(status, ['active', 'succeeded', 'failed', 'ready'], 'status'),
    ...['succeeded', 'failed'].flatMap((field) =>
      uidErrors(pods?.[field], seen, `status.uncountedTerminatedPods.${field}`),
    ),
  ];
}

/** A pod is counted once, and so it is listed once, wherever that is. */
function uidErrors(uids: JsonValue | undefined, seen: Set<string>, path: string): readonly FieldError[] {
  if (!isStringArray(uids)) return [];
  return uids.flatMap((uid, i) => {
    if (uid === '') return [invalidValue(`${path}[${i}]`, uid, 'must not be empty')];
    if (seen.has(uid)) return [duplicate(`${path}[${i}]`, uid)];
    seen.add(uid);
    return [];
  });
}

const jobCell: Strategy['cell'] = (object, column, now) => {
  if (column === 'Completions') return completionsText(object);
  if (column === 'Duration') return durationText(objectAt(object, 'status'), now);
  if (column === 'Selector') return selectorText(specOf(object)?.selector);
  return containerCell(templateOf(object), column);
};

/** As in `1/3`, or `1/1 of 2` where any of several pods may finish the job. */
function completionsText(object: ApiObject): string {
  const spec = specOf(object);
  const done = countAt(objectAt(object, 'status'), 'succeeded');
  if (typeof spec?.completions === 'number') return `${done}/${spec.completions}`;
  const parallelism = countAt(spec, 'parallelism');
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function durationText(status: JsonObject | undefined, now: number): string {
  const start = status?.startTime;
  const end = status?.completionTime;
  if (typeof start !== 'string') return '';
  return humanDuration((typeof end === 'string' ? Date.parse(end) : now) - Date.parse(start));
}
