/** RoleBinding: the role and subjects that it may name, and how tables show it. */
import { defineRoleBindingHandlers } from '../../generated/rbac.authorization.platform.io/v1/rolebindings/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { bindingHandlers } from './role-subjects.js';

export const defineRoleBindings = ({ rename }: Naming): KindHandlers =>
  defineRoleBindingHandlers(
    bindingHandlers('Namespaced', ['Role', 'ClusterRole'], rename('rbac.authorization.platform.io')),
  );
