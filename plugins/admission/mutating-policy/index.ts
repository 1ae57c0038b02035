/** MutatingAdmissionPolicy: the policies that are bound to requests change their objects. */
import type { AdmissionHost, AdmissionPlugin } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { followPolicies, isGoverned, type PolicySet } from '../shared/policy-set.js';
import { applyPolicies } from './evaluate-request.js';
import {
  type CompiledMutatingPolicy,
  compileMutatingPolicy,
  type MutatingPolicySpec,
  mutatingPolicySpecOf,
} from './spec.js';

const resources = { policies: 'mutatingadmissionpolicies', bindings: 'mutatingadmissionpolicybindings' } as const;

/**
 * Creates the plugin. It does nothing unless its feature gate is on and its kinds are served. It never changes policies
 * and bindings, and does nothing for deletes.
 */
export function defineMutatingAdmissionPolicy(names: Naming): AdmissionPlugin {
  const group = names.rename('admissionregistration.platform.io');
  const governs = isGoverned(names, true);
  const kind = { specOf: mutatingPolicySpecOf, compile: compileMutatingPolicy };
  let force:
    | { readonly host: AdmissionHost; readonly set: PolicySet<MutatingPolicySpec, CompiledMutatingPolicy> }
    | undefined;
  return {
    name: 'MutatingAdmissionPolicy',
    start(host) {
      if (!host.featureEnabled('MutatingAdmissionPolicy')) return;
      const set = followPolicies(host, { group, ...resources }, kind);
      if (set) force = { host, set };
    },
    handles: (resource, operation) => force !== undefined && operation !== 'DELETE' && governs(resource),
    admit(attributes, context) {
      const candidates = force?.set.candidates(attributes) ?? [];
      if (force === undefined || candidates.length === 0) return undefined;
      return applyPolicies(force.host, candidates, attributes, context);
    },
  };
}
