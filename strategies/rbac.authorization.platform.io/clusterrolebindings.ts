/** ClusterRoleBinding: which role and subjects it may name, and how tables show it. */
import type { ApiObject, FieldError, Strategy } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { bindingCell, fillInGroups, roleChangeErrors, roleReferenceErrors, subjectErrors } from './role-subjects.js';

export function defineClusterRoleBindingStrategy({ rename }: Naming): Strategy {
  const group = rename('rbac.authorization.platform.io');
  const errors = (object: ApiObject): readonly FieldError[] => [
    ...roleReferenceErrors(object, group, ['ClusterRole']),
    ...subjectErrors(object, group, 'Cluster'),
  ];
  return {
    kind: 'rbac.authorization.platform.io/ClusterRoleBinding',
    repeatsMetadataErrors: true,
    canonicalize: (object) => fillInGroups(object, group),
    validate: errors,
    // Clients know the errors of an update twice.
    validateUpdate: (object, old) => [...errors(object), ...roleChangeErrors(object, old)],
    cell: bindingCell,
  };
}
