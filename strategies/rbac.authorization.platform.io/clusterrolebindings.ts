/** ClusterRoleBinding: the role and subjects that it may name, and how tables show it. */
import type { ClusterRoleBinding } from '../../generated/rbac.authorization.platform.io/v1/clusterrolebindings/types.js';
import type { Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { bindingHooks } from './role-subjects.js';

export const defineClusterRoleBindingStrategy = ({ rename }: Naming): Strategy =>
  defineStrategy<ClusterRoleBinding>(
    'rbac.authorization.platform.io/ClusterRoleBinding',
    bindingHooks('Cluster', ['ClusterRole'], rename('rbac.authorization.platform.io')),
  );
