/** ClusterRole: which rules are sound, and which selectors put one together from others. */
import type { ApiObject, FieldError, Strategy } from '../../runtime/contract/index.js';
import { required } from '../../runtime/objects/field-error.js';
import { objectAt } from '../../runtime/objects/guards.js';
import { validateLabelSelector } from '../../runtime/objects/selectors/labels.js';
import { objectsAt } from '../shared/reading.js';
import { policyRuleErrors } from './policy-rules.js';

export function defineClusterRoleStrategy(): Strategy {
  return {
    kind: 'rbac.authorization.platform.io/ClusterRole',
    repeatsMetadataErrors: true,
    validate: roleErrors,
    // Clients know the errors of an update twice.
    validateUpdate: roleErrors,
  };
}

const roleErrors = (object: ApiObject): readonly FieldError[] => [
  ...policyRuleErrors(object, 'Cluster'),
  ...aggregationErrors(object),
];

const path = 'aggregationRule.clusterRoleSelectors';

function aggregationErrors(object: ApiObject): readonly FieldError[] {
  const rule = objectAt(object, 'aggregationRule');
  if (rule === undefined) return [];
  const selectors = objectsAt(rule, 'clusterRoleSelectors');
  if (selectors.length === 0) {
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return selectors.flatMap((selector, i) => validateLabelSelector(selector, `${path}[${i}]`));
}
