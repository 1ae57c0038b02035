/** MutatingAdmissionPolicyBinding: the rules of its spec, and how tables show it. */
import { defineMutatingAdmissionPolicyBindingHandlers } from '../../generated/admissionregistration.platform.io/v1alpha1/mutatingadmissionpolicybindings/handlers.js';
import type { MutatingAdmissionPolicyBinding } from '../../generated/admissionregistration.platform.io/v1alpha1/mutatingadmissionpolicybindings/types.js';
import type { DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { operationErrors } from './mutatingadmissionpolicies.js';
import {
  matchResourcesErrors,
  parameterErrors,
  paramRefText,
  policyNameErrors,
} from './validatingadmissionpolicybindings.js';

export const defineMutatingAdmissionPolicyBindings = (): KindHandlers =>
  defineMutatingAdmissionPolicyBindingHandlers({
    metadataChecks: 'any finalizers',
    updateChecks: ['metadata', 'fields'],
    validate: bindingErrors,
    columns: { ParamRef: ({ spec }) => paramRefText(spec?.paramRef) },
  });

function bindingErrors({ spec = {} }: DraftObject<MutatingAdmissionPolicyBinding>): readonly FieldError[] {
  const { policyName = '', paramRef, matchResources } = spec;
  return [
    ...policyNameErrors(policyName),
    ...parameterErrors(paramRef, true),
    ...(matchResources === undefined ? [] : matchResourcesErrors(matchResources, 'spec.matchResources', true)),
    ...operationErrors(matchResources?.resourceRules, 'spec.matchResources.resourceRules'),
  ];
}
