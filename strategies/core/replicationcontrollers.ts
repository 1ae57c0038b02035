/** ReplicationController: labels and selector taken from its template, what its pods have to be like, and its cells. */
import type { ApiObject, FieldError, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { required } from '../../runtime/objects/field-error.js';
import { isStringMap, objectAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { notSelected, templateLabels, validateRunningTemplate } from '../apps/running-template.js';
import { containerCell, labelsText } from '../apps/workload-cells.js';
import { podNameWarnings, templateWarnings } from '../apps/workload-warnings.js';
import { countAt, notNegativeFields, replicaCountErrors } from '../shared/counts.js';
import { canonicalizePodTemplate } from './pod-spec/pod-template.js';

export function defineReplicationControllerStrategy(names: Naming): Strategy {
  return {
    kind: 'ReplicationController',
    repeatsMetadataErrors: true,
    repeatsErrors: true,
    canonicalize,
    validate: (object, { subresource }) =>
      subresource === 'status' ? statusErrors(object) : specErrors(object, names),
    warnings: (object, old) => [
      ...podNameWarnings(object, old),
      ...(templateOf(object) === undefined
        ? []
        : templateWarnings(object, old, { template: templateOf, path: 'spec.template', names })),
    ],
    selectableField: (object, path) =>
      path === 'status.replicas' ? String(countAt(objectAt(object, 'status'), 'replicas')) : undefined,
    cell: controllerCell,
  };
}

const specOf = (object: ApiObject): JsonObject | undefined => objectAt(object, 'spec');
const templateOf = (object: ApiObject): JsonObject | undefined => objectAt(specOf(object), 'template');

const isEmpty = (labels: JsonObject | undefined): boolean => Object.keys(labels ?? {}).length === 0;

/** Where nothing else is said, it bears the labels of its pods, and selects by them. */
function canonicalize(object: ApiObject): void {
  const spec = specOf(object);
  const labels = templateLabels(templateOf(object));
  if (spec && isStringMap(labels)) {
    if (isEmpty(objectAt(spec, 'selector'))) spec.selector = { ...labels };
    if (isEmpty(object.metadata.labels)) object.metadata.labels = { ...labels };
  }
  canonicalizePodTemplate(templateOf(object));
}

function specErrors(object: ApiObject, names: Naming): FieldError[] {
  const selector = objectAt(specOf(object), 'selector');
  return [...(isEmpty(selector) ? [required('spec.selector')] : []), ...templateErrors(object, selector ?? {}, names)];
}

function templateErrors(object: ApiObject, selector: JsonObject, names: Naming): readonly FieldError[] {
  const template = templateOf(object);
  const path = 'spec.template';
  if (template === undefined) return [required(path)];
  const labels = templateLabels(template);
  const selected = Object.keys(selector).every((key) => labels !== undefined && selector[key] === labels[key]);
  const several = countAt(specOf(object), 'replicas') > 1;
  return [
    ...(selected ? [] : [notSelected(template, path)]),
    ...validateRunningTemplate(template, { path, names, kind: 'ReplicationController', several }),
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

const controllerCell: Strategy['cell'] = (object, column) => {
  const status = objectAt(object, 'status');
  switch (column) {
    case 'Desired':
      return countAt(specOf(object), 'replicas');
    case 'Current':
      return countAt(status, 'replicas');
    case 'Ready':
      return countAt(status, 'readyReplicas');
    case 'Selector':
      return labelsText(objectAt(specOf(object), 'selector'));
    default:
      return containerCell(templateOf(object), column);
  }
};
