/** DaemonSet: its rollout defaults, its template generation, the rules for its pods, and its columns. */
import { defineDaemonSetHandlers } from '../../generated/apps/v1/daemonsets/handlers.js';
import type { DaemonSet } from '../../generated/apps/v1/daemonsets/types.js';
import type {
  DaemonSetSpec,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from '../../generated/types/apps/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue, required } from '../../runtime/objects/field-error.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import {
  collisionErrors,
  isZeroAmount,
  notNegativeFields,
  validateAtMostAll,
  validateIntOrPercent,
} from '../shared/counts.js';
import { printedIntOrString, printedSelector } from '../shared/printed-values.js';
import { isEmptySelector, validateLabelSelector } from '../shared/selectors.js';
import type { Serving } from '../shared/serving.js';
import {
  containersText,
  imagesText,
  labelsText,
  selectorChangeErrors,
  selectorText,
  templateWarnings,
  unselectedErrors,
  validateRunningTemplate,
} from './workloads.js';

/** Counts changes of the template, for clients that do not know generations. */
const templateGeneration = 'deprecated.daemonset.template.generation';

const checkedFields = [
  ...['spec.selector', 'spec.template', 'spec.minReadySeconds', 'spec.templateGeneration', 'spec.updateStrategy'],
  'spec.revisionHistoryLimit',
];

export const defineDaemonSets = (serving: Serving): KindHandlers =>
  defineDaemonSetHandlers({
    errorOrder: checkedFields,
    updateChecks: ['metadata', 'fields', 'metadata changes', 'fields', 'field changes'],
    canonicalize(set) {
      defaultRollout(set.spec?.updateStrategy);
      canonicalizePodTemplate(set.spec?.template, serving);
      setTemplateGeneration(set, templateGenerationOf(set));
    },
    prepareForCreate: (set) => setTemplateGeneration(set, Math.max(1, templateGenerationOf(set))),
    prepareForUpdate(set, old) {
      const isChanged = !equal(set.spec?.template, old.spec?.template);
      setTemplateGeneration(set, templateGenerationOf(old) + (isChanged ? 1 : 0));
    },
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status' ? notNegativeFields(status, counts, 'status') : specErrors(spec, serving),
    validateUpdate: (set, old, { subresource }) =>
      subresource === 'status' ? collisionErrors(set.status, old.status) : selectorChangeErrors(set.spec, old.spec),
    warn: (set, old) => templateWarnings(set, old, serving),
    columns: {
      Desired: ({ status }) => status?.desiredNumberScheduled ?? 0,
      Current: ({ status }) => status?.currentNumberScheduled ?? 0,
      Ready: ({ status }) => status?.numberReady ?? 0,
      'Up-to-date': ({ status }) => status?.updatedNumberScheduled ?? 0,
      Available: ({ status }) => status?.numberAvailable ?? 0,
      Selector: ({ spec }) => selectorText(spec?.selector),
      'Node Selector': ({ spec }) => labelsText(spec?.template?.spec?.nodeSelector),
      Containers: ({ spec }) => containersText(spec?.template),
      Images: ({ spec }) => imagesText(spec?.template),
    },
  });

/** By default, one node at a time loses its pod before it gets the new one. */
function defaultRollout(strategy: Draft<DaemonSetUpdateStrategy> | undefined): void {
  if (strategy?.type !== 'RollingUpdate') return;
  strategy.rollingUpdate = { maxUnavailable: 1, maxSurge: 0, ...strategy.rollingUpdate };
}

function templateGenerationOf({ metadata }: DraftObject<DaemonSet>): number {
  const text = metadata.annotations?.[templateGeneration] ?? '';
  const count = /^[+-]?\d{1,19}$/.test(text) ? Number(text) : 0;
  return Number.isSafeInteger(count) ? count : 0;
}

function setTemplateGeneration({ metadata }: DraftObject<DaemonSet>, count: number): void {
  metadata.annotations = { ...metadata.annotations, [templateGeneration]: String(count) };
}

function specErrors(spec: Draft<DaemonSetSpec> | undefined, serving: Serving): readonly FieldError[] {
  const path = 'spec.selector';
  const empty = 'empty selector is invalid for daemonset';
  return [
    ...validateLabelSelector(spec?.selector, path),
    ...unselectedErrors(spec),
    ...(isEmptySelector(spec?.selector) ? [invalidValue(path, printedSelector(spec?.selector), empty)] : []),
    ...validateRunningTemplate(spec?.template, { ...serving, kind: 'DaemonSet', several: true }),
    ...strategyErrors(spec?.updateStrategy),
  ];
}

const strategyErrors = ({ type, rollingUpdate }: Draft<DaemonSetUpdateStrategy> = {}): readonly FieldError[] =>
  type === 'RollingUpdate' ? rollingErrors(rollingUpdate) : [];

/** During an update a node has no pod for a while, or two; exactly one of the two numbers must be above zero. */
function rollingErrors({ maxUnavailable, maxSurge }: Draft<RollingUpdateDaemonSet> = {}): readonly FieldError[] {
  const path = 'spec.updateStrategy.rollingUpdate';
  const errors = [
    ...validateIntOrPercent(maxUnavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(maxSurge, `${path}.maxSurge`),
    ...validateAtMostAll(maxUnavailable, `${path}.maxUnavailable`),
    ...validateAtMostAll(maxSurge, `${path}.maxSurge`),
  ];
  if (isZeroAmount(maxUnavailable) !== isZeroAmount(maxSurge)) return errors;
  if (isZeroAmount(maxSurge)) return [...errors, required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')];
  const problem = 'may not be set when maxUnavailable is non-zero';
  return [...errors, invalidValue(`${path}.maxSurge`, printedIntOrString(maxSurge), problem)];
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
  'collisionCount',
] as const;
