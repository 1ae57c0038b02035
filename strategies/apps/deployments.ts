/** Deployment: how it rolls out, what its pods have to be like, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, JsonValue, Strategy } from '../../runtime/contract/index.js';
import { forbidden, invalidValue } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { collisionErrors, countAt, notNegativeFields, replicaCountErrors } from '../shared/counts.js';
import { isZeroAmount, validateAtMostAll, validateIntOrPercent } from '../shared/int-or-percent.js';
import { printedIntOrString } from '../shared/printed-values.js';
import { validateRunningTemplate } from './running-template.js';
import { containerCell, selectorText } from './workload-cells.js';
import { selectedTemplateErrors, selectorChangeErrors, validateWorkloadSelector } from './workload-selector.js';
import { podNameWarnings, templateWarnings } from './workload-warnings.js';

const defaultShare = '25%';

export function defineDeploymentStrategy(names: Naming): Strategy {
  return {
    kind: 'apps/Deployment',
    canonicalize,
    prepareForUpdate(object, old, { subresource }) {
      // Its labels tell versions apart, which whoever reports its state has no part in.
      if (subresource === 'status') object.metadata.labels = old.metadata.labels;
    },
    validate: (object, { subresource }) =>
      subresource === 'status' ? statusErrors(object) : specErrors(object, names),
    validateUpdate: (object, old, { subresource }) =>
      subresource === 'status'
        ? collisionErrors(objectAt(object, 'status'), objectAt(old, 'status'))
        : selectorChangeErrors(specOf(object), specOf(old)),
    warnings: (object, old) => [
      ...podNameWarnings(object, old),
      ...templateWarnings(object, old, { template: templateOf, path: 'spec.template', names }),
    ],
    cell: deploymentCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');
const templateOf = (object: ApiObject): JsonObject | undefined => objectAt(specOf(object), 'template');

/** Pods are replaced a quarter at a time, unless they are to be replaced all at once. */
function canonicalize(object: ApiObject): void {
  const strategy = objectAt(specOf(object), 'strategy');
  if (strategy?.type === 'RollingUpdate') {
    const given = objectAt(strategy, 'rollingUpdate');
    strategy.rollingUpdate = { maxUnavailable: defaultShare, maxSurge: defaultShare, ...given };
  }
  canonicalizePodTemplate(templateOf(object));
}

function specErrors(object: ApiObject, names: Naming): FieldError[] {
  const spec = specOf(object);
  const several = countAt(spec, 'replicas') > 1;
  return [
    ...validateWorkloadSelector(spec, 'deployment'),
    ...selectedTemplateErrors(spec, 'invalid label selector', (template) =>
      validateRunningTemplate(template, { path: 'spec.template', names, kind: 'ReplicaSet', several }),
    ),
    ...strategyErrors(objectAt(spec, 'strategy')),
    ...deadlineErrors(spec),
  ];
}

function strategyErrors(strategy: JsonObject | undefined): readonly FieldError[] {
  const type = stringAt(strategy, 'type');
  const rolling = objectAt(strategy, 'rollingUpdate');
  if (type === 'RollingUpdate') return rollingErrors(rolling);
  const problem = "may not be specified when strategy `type` is 'Recreate'";
  return type !== 'Recreate' || rolling === undefined ? [] : [forbidden('spec.strategy.rollingUpdate', problem)];
}

function rollingErrors(rolling: JsonObject | undefined): readonly FieldError[] {
  const path = 'spec.strategy.rollingUpdate';
  const unavailable: JsonValue | undefined = rolling?.maxUnavailable;
  const surge: JsonValue | undefined = rolling?.maxSurge;
  const stuck = isZeroAmount(unavailable) && isZeroAmount(surge);
  return [
    ...validateIntOrPercent(unavailable, `${path}.maxUnavailable`),
    ...validateIntOrPercent(surge, `${path}.maxSurge`),
    ...(stuck
      ? [invalidValue(`${path}.maxUnavailable`, printedIntOrString(unavailable), 'may not be 0 when `maxSurge` is 0')]
      : []),
    ...validateAtMostAll(unavailable, `${path}.maxUnavailable`),
  ];
}

/** A rollout cannot be late before its pods could have been found to be available. */
function deadlineErrors(spec: JsonObject | undefined): readonly FieldError[] {
  const deadline = spec?.progressDeadlineSeconds;
  if (typeof deadline !== 'number' || deadline > countAt(spec, 'minReadySeconds')) return [];
  return [invalidValue('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds')];
}

const countedStates = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];

function statusErrors(object: ApiObject): readonly FieldError[] {
  const status = objectAt(object, 'status');
  const counts = ['observedGeneration', 'replicas', ...countedStates, 'unavailableReplicas', 'collisionCount'];
  return [...notNegativeFields(status, counts, 'status'), ...replicaCountErrors(status, countedStates, 'status')];
}

const deploymentCell: Strategy['cell'] = (object, column) => {
  const status = objectAt(object, 'status');
  switch (column) {
    case 'Ready':
      return `${countAt(status, 'readyReplicas')}/${countAt(specOf(object), 'replicas')}`;
    case 'Up-to-date':
      return countAt(status, 'updatedReplicas');
    case 'Available':
      return countAt(status, 'availableReplicas');
    case 'Selector':
      return selectorText(specOf(object)?.selector);
    default:
      return containerCell(templateOf(object), column);
  }
};
