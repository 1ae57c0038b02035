/** ClusterRoleBinding: which role and subjects it may name, and how tables show it. */
import type { Strategy } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/naming.js';
import {
  bindingCell,
  fillInGroups,
  roleChangeErrors,
  roleReferenceErrors,
  subjectErrors,
} from './parts/role-subjects.js';

export function defineClusterRoleBindingStrategy({ rename }: Naming): Strategy {
  const group = rename('rbac.authorization.platform.io');
  return {
    kind: 'rbac.authorization.platform.io/ClusterRoleBinding',
    canonicalize: (object) => fillInGroups(object, group),
    validate: (object) => [
      ...roleReferenceErrors(object, group, ['ClusterRole']),
      ...subjectErrors(object, group, 'Cluster'),
    ],
    validateUpdate: roleChangeErrors,
    cell: bindingCell,
  };
}
