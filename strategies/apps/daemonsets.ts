/** DaemonSet: how it rolls out, the count of its templates, what its pods have to be like, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, JsonValue, Strategy } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { collisionErrors, countAt, notNegativeFields } from '../shared/counts.js';
import { isZeroAmount, validateAtMostAll, validateIntOrPercent } from '../shared/int-or-percent.js';
import { isEmptySelector, validateLabelSelector } from '../shared/label-selector.js';
import { printedIntOrString, printedSelector } from '../shared/printed-values.js';
import { validateRunningTemplate } from './running-template.js';
import { containerCell, labelsText, selectorText } from './workload-cells.js';
import { selectorChangeErrors, unselectedErrors } from './workload-selector.js';
import { templateWarnings } from './workload-warnings.js';

/** Counts the changes of the template; clients that know no generations still read it. */
const templateGeneration = 'deprecated.daemonset.template.generation';

export function defineDaemonSetStrategy(names: Naming): Strategy {
  return {
    kind: 'apps/DaemonSet',
    repeatsMetadataErrors: true,
    repeatsErrors: true,
    canonicalize,
    prepareForCreate: (object) => setTemplateGeneration(object, Math.max(1, templateGenerationOf(object))),
    prepareForUpdate(object, old) {
      const changed = !equal(templateOf(object), templateOf(old));
      setTemplateGeneration(object, templateGenerationOf(old) + (changed ? 1 : 0));
    },
    validate: (object, { subresource }) =>
      subresource === 'status' ? statusErrors(object) : specErrors(object, names),
    validateUpdate: (object, old, { subresource }) =>
      subresource === 'status'
        ? collisionErrors(objectAt(object, 'status'), objectAt(old, 'status'))
        : selectorChangeErrors(specOf(object), specOf(old)),
    warnings: (object, old) => templateWarnings(object, old, { template: templateOf, path: 'spec.template', names }),
    cell: daemonSetCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');
const templateOf = (object: ApiObject): JsonObject | undefined => objectAt(specOf(object), 'template');

/** One node at a time loses its pod before it gets the next, unless something else is said. */
function canonicalize(object: ApiObject): void {
  const strategy = objectAt(specOf(object), 'updateStrategy');
  if (strategy?.type === 'RollingUpdate') {
    strategy.rollingUpdate = { maxUnavailable: 1, maxSurge: 0, ...objectAt(strategy, 'rollingUpdate') };
  }
  canonicalizePodTemplate(templateOf(object));
  setTemplateGeneration(object, templateGenerationOf(object));
}

function templateGenerationOf({ metadata }: ApiObject): number {
  const text = metadata.annotations?.[templateGeneration] ?? '';
  const count = /^[+-]?\d{1,19}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(count) ? count : 0;
}

function setTemplateGeneration({ metadata }: ApiObject, count: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(count) };
}

function specErrors(object: ApiObject, names: Naming): FieldError[] {
  const spec = specOf(object);
  const template = templateOf(object);
  const selector = spec?.selector;
  return [
    ...validateLabelSelector(selector, 'spec.selector'),
    ...unselectedErrors(spec),
    ...(isEmptySelector(selector)
      ? [invalidValue('spec.selector', printedSelector(selector), 'empty selector is invalid for daemonset')]
      : []),
    ...validateRunningTemplate(template, { path: 'spec.template', names, kind: 'DaemonSet', several: true }),
    ...strategyErrors(objectAt(spec, 'updateStrategy')),
  ];
}

function strategyErrors(strategy: JsonObject | undefined): readonly FieldError[] {
  return stringAt(strategy, 'type') === 'RollingUpdate' ? rollingErrors(objectAt(strategy, 'rollingUpdate')) : [];
}

/** A node has its pod missing for a while, or two of them, but not both, nor neither. */
function rollingErrors(rolling: JsonObject | undefined): readonly FieldError[] {
  const path = 'spec.updateStrategy.rollingUpdate';
  const unavailable: JsonValue | undefined = rolling?.maxUnavailable;
  const surge: JsonValue | undefined = rolling?.maxSurge;
  const errors = [
    ...validateIntOrPercent(unavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(surge, `${path}.maxSurge`),
    ...validateAtMostAll(unavailable, `${path}.maxUnavailable`),
    ...validateAtMostAll(surge, `${path}.maxSurge`),
  ];
  const neither = isZeroAmount(unavailable) && isZeroAmount(surge);
  if (neither) return [...errors, required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')];
  if (isZeroAmount(unavailable) || isZeroAmount(surge)) return errors;
  const problem = 'may not be set when maxUnavailable is non-zero';
  return [...errors, invalidValue(`${path}.maxSurge`, printedIntOrString(surge), problem)];
}

const counts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
] as const;

const statusErrors = (object: ApiObject): readonly FieldError[] =>
  notNegativeFields(objectAt(object, 'status'), counts, 'status');

/** Columns that show a count of the status. */
const countColumns: ReadonlyMap<string, string> = new Map([
  ['Desired', 'desiredNumberScheduled'],
  ['Current', 'currentNumberScheduled'],
  ['Ready', 'numberReady'],
  ['Up-to-date', 'updatedNumberScheduled'],
  ['Available', 'numberAvailable'],
]);

const daemonSetCell: Strategy['cell'] = (object, column) => {
  const count = countColumns.get(column);
  if (count !== undefined) return countAt(objectAt(object, 'status'), count);
  if (column === 'Selector') return selectorText(specOf(object)?.selector);
  if (column === 'Node Selector') return labelsText(objectAt(templateOf(object), 'spec')?.nodeSelector);
  return containerCell(templateOf(object), column);
};
