/** ReplicationController: the defaults from its template, the rules for its pods, and its columns. */
import { defineReplicationControllerHandlers } from '../../generated/core/v1/replicationcontrollers/handlers.js';
import type { ReplicationController } from '../../generated/core/v1/replicationcontrollers/types.js';
import type { ReplicationControllerSpec } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { required } from '../../runtime/objects/field-error.js';
import { getOwn } from '../../runtime/objects/guards.js';
import { replicaColumns, replicaStatusErrors } from '../apps/replicasets.js';
import {
  containersText,
  imagesText,
  labelsText,
  notSelected,
  podNameWarnings,
  templateWarnings,
  validateRunningTemplate,
} from '../apps/workloads.js';
import type { Serving } from '../shared/serving.js';
import { canonicalizePodTemplate } from './pod-spec/pod-template.js';

export const defineReplicationControllers = (serving: Serving): KindHandlers =>
  defineReplicationControllerHandlers({
    errorOrder: ['spec.minReadySeconds', 'spec.selector', 'spec.replicas', 'spec.template'],
    updateChecks: ['metadata', 'fields', 'metadata changes', 'fields'],
    canonicalize(controller) {
      takeLabels(controller);
      canonicalizePodTemplate(controller.spec?.template, serving);
    },
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status' ? replicaStatusErrors(status) : specErrors(spec, serving),
    warn: (controller, old) => [
      ...podNameWarnings(controller, old),
      ...(controller.spec?.template ? templateWarnings(controller, old, serving) : []),
    ],
    propagation: (version) => (version === 'v1' ? 'Orphan' : 'Background'),
    selectableFields: { 'status.replicas': ({ status }) => String(status?.replicas ?? 0) },
    columns: {
      ...replicaColumns,
      Selector: ({ spec }) => labelsText(spec?.selector),
      Containers: ({ spec }) => containersText(spec?.template),
      Images: ({ spec }) => imagesText(spec?.template),
    },
  });

const isEmpty = (labels: Readonly<Record<string, string>> = {}): boolean => Object.keys(labels).length === 0;

/** By default, a controller has the labels of its pods, and selects them. */
function takeLabels({ metadata, spec }: DraftObject<ReplicationController>): void {
  const labels = spec?.template?.metadata?.labels;
  if (!spec || !labels) return;
  if (isEmpty(spec.selector)) spec.selector = { ...labels };
  if (isEmpty(metadata.labels)) metadata.labels = { ...labels };
}

function specErrors(spec: Draft<ReplicationControllerSpec> = {}, serving: Serving): readonly FieldError[] {
  return [...(isEmpty(spec.selector) ? [required('spec.selector')] : []), ...templateErrors(spec, serving)];
}

function templateErrors(
  { selector = {}, template, replicas = 0 }: Draft<ReplicationControllerSpec>,
  serving: Serving,
): readonly FieldError[] {
  if (template === undefined) return [required('spec.template')];
  const { labels = {} } = template.metadata ?? {};
  const isSelected = Object.keys(selector).every((key) => selector[key] === getOwn(labels, key));
  return [
    ...(isSelected ? [] : [notSelected(template)]),
    ...validateRunningTemplate(template, { ...serving, kind: 'ReplicationController', several: replicas > 1 }),
  ];
}
