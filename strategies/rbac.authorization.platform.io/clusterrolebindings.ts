/** ClusterRoleBinding: the role and subjects that it may name, and how tables show it. */
import type { ClusterRoleBinding } from '../../generated/rbac.authorization.platform.io/v1/clusterrolebindings/types.js';
import type { FieldError, Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import type { Naming } from '../../runtime/objects/naming.js';
import {
  type Binding,
  bindingCell,
  fillInGroups,
  roleChangeErrors,
  roleReferenceErrors,
  subjectErrors,
} from './role-subjects.js';

export function defineClusterRoleBindingStrategy({ rename }: Naming): Strategy {
  const group = rename('rbac.authorization.platform.io');
  const errors = (binding: Binding): readonly FieldError[] => [
    ...roleReferenceErrors(binding, group, ['ClusterRole']),
    ...subjectErrors(binding, group, 'Cluster'),
  ];
  return defineStrategy<ClusterRoleBinding>('rbac.authorization.platform.io/ClusterRoleBinding', {
    repeatsMetadataErrors: true,
    canonicalize: (binding) => fillInGroups(binding, group),
    validate: errors,
    // The errors of an update are reported twice.
    validateUpdate: (binding, old) => [...errors(binding), ...roleChangeErrors(binding, old)],
    cell: bindingCell,
  });
}
