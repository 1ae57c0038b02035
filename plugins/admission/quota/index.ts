/** ResourceQuota: the objects of a namespace together stay within its quotas. */
import type { AdmissionPlugin } from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { defineEvaluators } from '../../../runtime/objects/quota/evaluators.js';
import { defineAdmissionPlugin } from '../define-admission-plugin.js';
import { type ChargeQuotas, defineCharging } from './charge-quotas.js';
import { quotaConfiguration } from './limited-resources.js';

export function defineResourceQuota(names: Naming): AdmissionPlugin {
  let evaluators = defineEvaluators(names);
  let charge: ChargeQuotas = () => undefined;
  return defineAdmissionPlugin({
    name: 'ResourceQuota',
    configuration: quotaConfiguration,
    start(host, { limitedResources }) {
      evaluators = defineEvaluators(names, { podsResize: host.featureEnabled('InPlacePodVerticalScaling') });
      charge = defineCharging(host, limitedResources);
    },
    handles({ group, names: { plural }, scope }, operation, subresource) {
      const evaluator = scope === 'Namespaced' && subresource === '' ? evaluators(group, plural) : undefined;
      return operation === 'CREATE' ? evaluator !== undefined : operation === 'UPDATE' && !!evaluator?.chargesUpdates;
    },
    validate(attributes, context) {
      const { object, resource } = attributes;
      const evaluator = evaluators(resource.group, resource.names.plural);
      return object && evaluator && charge({ attributes, object, evaluator }, context);
    },
  });
}
