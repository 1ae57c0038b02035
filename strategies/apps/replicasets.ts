/** ReplicaSet: what its pods have to be like, and how tables show it. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { objectAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { countAt, notNegativeFields, replicaCountErrors } from '../shared/counts.js';
import { validateRunningTemplate } from './running-template.js';
import { containerCell, selectorText } from './workload-cells.js';
import { selectedTemplateErrors, selectorChangeErrors, validateWorkloadSelector } from './workload-selector.js';
import { podNameWarnings, templateWarnings } from './workload-warnings.js';

export function defineReplicaSetStrategy(names: Naming): Strategy {
  return {
    kind: 'apps/ReplicaSet',
    repeatsMetadataErrors: true,
    repeatsErrors: true,
    canonicalize: (object) => canonicalizePodTemplate(templateOf(object)),
    validate: (object, { subresource }) =>
      subresource === 'status' ? statusErrors(object) : specErrors(object, names),
    validateUpdate: (object, old, { subresource }) =>
      subresource === 'status' ? [] : selectorChangeErrors(specOf(object), specOf(old)),
    warnings: (object, old) => [
      ...podNameWarnings(object, old),
      ...templateWarnings(object, old, { template: templateOf, path: 'spec.template', names }),
    ],
    cell: replicaSetCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');
const templateOf = (object: ApiObject): JsonObject | undefined => objectAt(specOf(object), 'template');

function specErrors(object: ApiObject, names: Naming): FieldError[] {
  const spec = specOf(object);
  const several = countAt(spec, 'replicas') > 1;
  return [
    // Deployments came first; what is said about their selectors is said here too.
    ...validateWorkloadSelector(spec, 'deployment'),
    ...selectedTemplateErrors(spec, 'invalid label selector', (template) =>
      validateRunningTemplate(template, { path: 'spec.template', names, kind: 'ReplicaSet', several }),
    ),
  ];
}

const countedStates = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

function statusErrors(object: ApiObject): readonly FieldError[] {
  const status = objectAt(object, 'status');
  return [
    ...notNegativeFields(status, ['replicas', ...countedStates, 'observedGeneration'], 'status'),
    ...replicaCountErrors(status, countedStates, 'status'),
  ];
}

const replicaSetCell: Strategy['cell'] = (object, column) => {
  const status = objectAt(object, 'status');
  switch (column) {
    case 'Desired':
      return countAt(specOf(object), 'replicas');
    case 'Current':
      return countAt(status, 'replicas');
    case 'Ready':
      return countAt(status, 'readyReplicas');
    case 'Selector':
      return selectorText(specOf(object)?.selector);
    default:
      return containerCell(templateOf(object), column);
  }
};
