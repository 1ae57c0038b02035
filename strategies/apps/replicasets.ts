/** ReplicaSet: the rules for its pods, and its columns. */
import { defineReplicaSetHandlers } from '../../generated/apps/v1/replicasets/handlers.js';
import type { ReplicaSetSpec } from '../../generated/types/apps/v1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { replicaColumns, replicaStatusErrors } from './replica-status.js';
import { validateRunningTemplate } from './running-template.js';
import { containersText, imagesText, selectorText } from './workload-cells.js';
import { selectedTemplateErrors, selectorChangeErrors, validateWorkloadSelector } from './workload-selector.js';
import { podNameWarnings, templateWarnings } from './workload-warnings.js';

export const defineReplicaSets = (names: Naming): KindHandlers =>
  defineReplicaSetHandlers({
    repeatsMetadataErrors: true,
    repeatsErrors: true,
    canonicalize: ({ spec }) => canonicalizePodTemplate(spec?.template),
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status' ? replicaStatusErrors(status) : specErrors(spec, names),
    validateUpdate: (set, old, { subresource }) =>
      subresource === 'status' ? [] : selectorChangeErrors(set.spec, old.spec),
    warn: (set, old) => [...podNameWarnings(set, old), ...templateWarnings(set, old, names)],
    columns: {
      ...replicaColumns,
      Selector: ({ spec }) => selectorText(spec?.selector),
      Containers: ({ spec }) => containersText(spec?.template),
      Images: ({ spec }) => imagesText(spec?.template),
    },
  });

function specErrors(spec: Draft<ReplicaSetSpec> = {}, names: Naming): readonly FieldError[] {
  const several = (spec.replicas ?? 0) > 1;
  return [
    // The reference names the deployment in errors of selectors of replica sets too.
    ...validateWorkloadSelector(spec, 'deployment'),
    ...selectedTemplateErrors(spec, 'invalid label selector', (template) =>
      validateRunningTemplate(template, { names, kind: 'ReplicaSet', several }),
    ),
  ];
}
