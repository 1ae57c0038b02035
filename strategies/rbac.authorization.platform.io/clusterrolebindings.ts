/** ClusterRoleBinding: its role and subjects, and its columns. */
import { defineClusterRoleBindingHandlers } from '../../generated/rbac.authorization.platform.io/v1/clusterrolebindings/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { emulate, type Release } from '../../runtime/objects/release.js';
import { bindingHandlers } from './rolebindings.js';

export const defineClusterRoleBindings = ({ rename }: Naming, release: Release = emulate()): KindHandlers =>
  defineClusterRoleBindingHandlers(
    bindingHandlers('Cluster', ['ClusterRole'], rename('rbac.authorization.platform.io'), release),
  );
