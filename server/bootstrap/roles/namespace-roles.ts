/** Roles in the namespaces of the system. */
import { type RoleFacts, rule } from './role-facts.js';

/** In the order of their namespaces and names. */
export const namespaceRoles: readonly RoleFacts[] = [
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'platform-public',
    rules: [
      rule('get list watch', 'core', 'configmaps'),
      rule('update', 'core', 'configmaps', 'cluster-info'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'extension-apiserver-authentication-reader',
    namespace: 'platform-system',
    rules: [rule('get list watch', 'core', 'configmaps', 'extension-apiserver-authentication')],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'platform-system',
    rules: [rule('watch', 'core', 'configmaps'), rule('get update', 'core', 'configmaps', 'kube-controller-manager')],
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'platform-system',
    rules: [rule('watch', 'core', 'configmaps'), rule('get update', 'core', 'configmaps', 'kube-scheduler')],
  },
  {
    name: 'system:controller:bootstrap-signer',
    namespace: 'platform-system',
    rules: [rule('get list watch', 'core', 'secrets')],
  },
  {
    name: 'system:controller:cloud-provider',
    namespace: 'platform-system',
    rules: [rule('create get list watch', 'core', 'configmaps')],
  },
  {
    name: 'system:controller:token-cleaner',
    namespace: 'platform-system',
    rules: [
      rule('delete get list watch', 'core', 'secrets'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
];
