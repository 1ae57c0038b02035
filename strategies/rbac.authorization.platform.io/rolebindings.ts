/** RoleBinding: the role and subjects that it may name, and how tables show it. */
import type { RoleBinding } from '../../generated/rbac.authorization.platform.io/v1/rolebindings/types.js';
import type { Strategy } from '../../runtime/contract/index.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { bindingHooks } from './role-subjects.js';

export const defineRoleBindingStrategy = ({ rename }: Naming): Strategy =>
  defineStrategy<RoleBinding>(
    'rbac.authorization.platform.io/RoleBinding',
    bindingHooks('Namespaced', ['Role', 'ClusterRole'], rename('rbac.authorization.platform.io')),
  );
