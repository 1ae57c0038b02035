/** ValidatingAdmissionPolicy: requests must pass the policies that are bound to them. */
import type { AdmissionHost, AdmissionPlugin } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../../runtime/objects/release.js';
import { followPolicies, isGoverned, type PolicySet } from '../shared/policy-set.js';
import { evaluateRequest } from './evaluate-request.js';
import { type CompiledPolicy, compilePolicy, type ValidatingPolicySpec, validatingPolicySpecOf } from './spec.js';

const resources = {
  policies: 'validatingadmissionpolicies',
  bindings: 'validatingadmissionpolicybindings',
} as const;

/**
 * Creates the plugin. It does nothing unless its feature gate is on and its kinds are served. Policies and bindings
 * themselves are never checked.
 */
export function defineValidatingAdmissionPolicy(
  names: Naming,
  { release = emulate() }: { readonly release?: Release | undefined } = {},
): AdmissionPlugin {
  const group = names.rename('admissionregistration.platform.io');
  const later = release.does('laterPolicies');
  const failureKey = `validation.policy.${names.rename('admission.platform.io')}/validation_failure`;
  const governs = isGoverned(names, later);
  const kind = { specOf: validatingPolicySpecOf, compile: (spec: ValidatingPolicySpec) => compilePolicy(spec, later) };
  let force:
    | { readonly host: AdmissionHost; readonly set: PolicySet<ValidatingPolicySpec, CompiledPolicy> }
    | undefined;
  return {
    name: 'ValidatingAdmissionPolicy',
    start(host) {
      if (!host.featureEnabled('ValidatingAdmissionPolicy')) return;
      const set = followPolicies(host, { group, ...resources }, kind);
      if (set) force = { host, set };
    },
    handles: (resource) => force !== undefined && governs(resource),
    validate(attributes, context) {
      const candidates = force?.set.candidates(attributes) ?? [];
      if (force === undefined || candidates.length === 0) return undefined;
      return evaluateRequest({ ...force.host, failureKey, later }, candidates, attributes, context);
    },
  };
}
