/** ReplicaSet: the rules for its pods, and its columns. */
import type { ReplicaSet } from '../../generated/apps/v1/replicasets/types.js';
import type { ReplicaSetSpec } from '../../generated/types/apps/v1/types.js';
import type { Draft, FieldError, Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { canonicalizePodTemplate } from '../core/pod-spec/pod-template.js';
import { replicaStatusErrors, replicasCell } from './replica-status.js';
import { validateRunningTemplate } from './running-template.js';
import { containerCell, selectorText } from './workload-cells.js';
import { selectedTemplateErrors, selectorChangeErrors, validateWorkloadSelector } from './workload-selector.js';
import { podNameWarnings, templateWarnings } from './workload-warnings.js';

export const defineReplicaSetStrategy = (names: Naming): Strategy =>
  defineStrategy<ReplicaSet>('apps/ReplicaSet', {
    repeatsMetadataErrors: true,
    repeatsErrors: true,
    canonicalize: ({ spec }) => canonicalizePodTemplate(spec?.template),
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status' ? replicaStatusErrors(status) : specErrors(spec, names),
    validateUpdate: (set, old, { subresource }) =>
      subresource === 'status' ? [] : selectorChangeErrors(set.spec, old.spec),
    warnings: (set, old) => [...podNameWarnings(set, old), ...templateWarnings(set, old, names)],
    cell(set, column) {
      if (column === 'Selector') return selectorText(set.spec?.selector);
      return replicasCell(set, column) ?? containerCell(set.spec?.template, column);
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
