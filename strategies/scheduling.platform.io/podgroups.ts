/** PodGroup: its template and its policy, which never change, and its conditions. */
import { definePodGroupHandlers } from '../../generated/scheduling.platform.io/v1alpha2/podgroups/handlers.js';
import type { PodGroupSpec } from '../../generated/types/scheduling/v1alpha2/types.js';
import type { Draft, KindHandlers } from '../../runtime/contract/index.js';
import { required } from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { conditionErrors } from '../shared/conditions.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { checkClaims, checkPolicy } from './workloads.js';

export const definePodGroups = (): KindHandlers =>
  definePodGroupHandlers({
    prepareForCreate(group) {
      group.status = {};
    },
    validate: ({ spec, status }, { subresource }) =>
      subresource === 'status'
        ? conditionErrors(status?.conditions, 'status.conditions')
        : firstErrors(checkSpec(spec ?? {})),
  });

function* checkSpec({ podGroupTemplateRef, schedulingPolicy, resourceClaims }: Draft<PodGroupSpec>): FieldErrors {
  if (podGroupTemplateRef) {
    const path = 'spec.podGroupTemplateRef.workload';
    const { workload } = podGroupTemplateRef;
    if (!workload) yield required(path);
    if (workload?.workloadName) yield* checkText(`${path}.workloadName`, workload.workloadName, dns1123Subdomain);
    if (workload?.podGroupTemplateName) {
      yield* checkText(`${path}.podGroupTemplateName`, workload.podGroupTemplateName, dns1123Label);
    }
  }
  yield* checkPolicy(schedulingPolicy ?? {}, 'spec.schedulingPolicy');
  yield* checkClaims(resourceClaims ?? [], 'spec.resourceClaims');
}
