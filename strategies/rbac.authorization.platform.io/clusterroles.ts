/** ClusterRole: its rules, and the selectors of the roles that it aggregates. */
import { defineClusterRoleHandlers } from '../../generated/rbac.authorization.platform.io/v1/clusterroles/handlers.js';
import type { ClusterRole } from '../../generated/rbac.authorization.platform.io/v1/clusterroles/types.js';
import type { AggregationRule } from '../../generated/types/rbac/v1/types.js';
import type { Draft, DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { required } from '../../runtime/objects/field-error.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { validateLabelSelector } from '../../runtime/objects/selectors/labels.js';
import { policyRuleErrors } from './roles.js';
import { updateChecks } from './update-checks.js';

export const defineClusterRoles = (release: Release = emulate()): KindHandlers =>
  defineClusterRoleHandlers({
    updateChecks: updateChecks(release),
    validate: roleErrors,
  });

const roleErrors = ({ rules, aggregationRule }: DraftObject<ClusterRole>): readonly FieldError[] => [
  ...policyRuleErrors(rules, 'Cluster'),
  ...aggregationErrors(aggregationRule),
];

const path = 'aggregationRule.clusterRoleSelectors';

function aggregationErrors(rule: Draft<AggregationRule> | undefined): readonly FieldError[] {
  if (rule === undefined) return [];
  const { clusterRoleSelectors: selectors = [] } = rule;
  if (selectors.length === 0) {
    return [required(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil')];
  }
  return selectors.flatMap((selector, i) => validateLabelSelector(selector, `${path}[${i}]`));
}
