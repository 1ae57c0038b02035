/** ValidatingAdmissionPolicy: requests must pass the policies that are bound to them. */
import type { AdmissionHost, AdmissionPlugin, ResourceModule } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../../runtime/objects/release.js';
import { evaluateRequest } from './evaluate-request.js';
import { PolicySet } from './policy-set.js';

const policies = 'validatingadmissionpolicies';
const bindings = 'validatingadmissionpolicybindings';

/**
 * Creates the plugin. It does nothing unless its feature gate is on and its kinds are served. Policies and bindings
 * themselves are never checked.
 */
export function defineValidatingAdmissionPolicy(
  { rename }: Naming,
  { release = emulate() }: { readonly release?: Release | undefined } = {},
): AdmissionPlugin {
  const group = rename('admissionregistration.platform.io');
  const later = release.does('laterPolicies');
  const failureKey = `validation.policy.${rename('admission.platform.io')}/validation_failure`;
  const isOwn = (resource: ResourceModule): boolean =>
    resource.group === group && [policies, bindings].includes(resource.names.plural);
  let force: { readonly host: AdmissionHost; readonly set: PolicySet } | undefined;
  return {
    name: 'ValidatingAdmissionPolicy',
    start(host) {
      const served = new Set(
        host.resources
          .all()
          .filter(isOwn)
          .map(({ names }) => names.plural),
      );
      if (!host.featureEnabled('ValidatingAdmissionPolicy') || served.size < 2) return;
      const set = new PolicySet(host.resources, host.observer, later);
      host.follow(group, policies, set.policies);
      host.follow(group, bindings, set.bindings);
      force = { host, set };
    },
    handles: (resource) => force !== undefined && !isOwn(resource),
    validate(attributes, context) {
      const candidates = force?.set.candidates(attributes) ?? [];
      if (force === undefined || candidates.length === 0) return undefined;
      return evaluateRequest({ ...force.host, failureKey, later }, candidates, attributes, context);
    },
  };
}
