/** ValidatingAdmissionPolicy: requests must pass the policies that are bound to them. */
import type { AdmissionHost, AdmissionPlugin, ResourceModule } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { evaluateRequest } from './evaluate-request.js';
import { PolicySet } from './policy-set.js';

const policies = 'validatingadmissionpolicies';
const bindings = 'validatingadmissionpolicybindings';

/**
 * Creates the plugin. It does nothing unless its feature gate is on and its kinds are served. Policies and bindings
 * themselves are never checked.
 */
export function defineValidatingAdmissionPolicy({ rename }: Naming): AdmissionPlugin {
  const group = rename('admissionregistration.platform.io');
  const failureKey = `validation.policy.${rename('admission.platform.io')}/validation_failure`;
  const isOwn = (resource: ResourceModule): boolean =>
    resource.group === group && [policies, bindings].includes(resource.names.plural);
  let force: { readonly host: AdmissionHost; readonly set: PolicySet } | undefined;
  return {
    name: 'ValidatingAdmissionPolicy',
    start(host) {
      const served = host.resources.all().filter(isOwn);
      if (!host.featureEnabled('ValidatingAdmissionPolicy') || served.length < 2) return;
      const set = new PolicySet(host.resources, host.observer);
      host.follow(group, policies, set.policies);
      host.follow(group, bindings, set.bindings);
      force = { host, set };
    },
    handles: (resource) => force !== undefined && !isOwn(resource),
    validate(attributes, context) {
      const candidates = force?.set.candidates(attributes) ?? [];
      if (force === undefined || candidates.length === 0) return undefined;
      return evaluateRequest({ ...force.host, failureKey }, candidates, attributes, context);
    },
  };
}
