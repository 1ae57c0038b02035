/** Chooses the controller that writes what is suspect about admission policies into their status. */

import { definePolicyStatus } from '../../controllers/index.js';
import type { Controller } from '../../controllers/kit/index.js';
import { policyTypeWarnings } from '../../plugins/index.js';
import type { ResourceIndex } from '../../runtime/contract/index.js';
import { isApiObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';

/** The controller where policies are in force; none where they are not. */
export function policyStatus(
  resources: ResourceIndex,
  naming: Naming,
  featureEnabled: (gate: string) => boolean,
): readonly Controller[] {
  const group = naming.rename('admissionregistration.platform.io');
  const isServed = resources.find(group, 'v1alpha1', 'validatingadmissionpolicies') !== undefined;
  if (!isServed || !featureEnabled('ValidatingAdmissionPolicy')) return [];
  return [
    definePolicyStatus({
      group,
      warningsOf: async (policy) => (isApiObject(policy) ? policyTypeWarnings(policy, resources) : []),
    }),
  ];
}
