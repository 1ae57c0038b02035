/** The bindings that grant the roles that exist from the start. */
import { account, type BindingFacts, group, user } from './binding-facts.js';

/** Bindings of cluster roles, but for those of controllers. */
export const clusterBindings: readonly BindingFacts[] = [
  { name: 'cluster-admin', subjects: [group('system:masters')] },
  { name: 'system:basic-user', subjects: [group('system:authenticated')] },
  { name: 'system:discovery', subjects: [group('system:authenticated')] },
  { name: 'system:kube-controller-manager', subjects: [user('system:kube-controller-manager')] },
  { name: 'system:kube-dns', subjects: [account('kube-dns')] },
  { name: 'system:kube-scheduler', subjects: [user('system:kube-scheduler')] },
  { name: 'system:monitoring', subjects: [group('system:monitoring')] },
  { name: 'system:node', subjects: [] },
  { name: 'system:node-proxier', subjects: [user('system:kube-proxy')] },
  { name: 'system:public-info-viewer', subjects: [group('system:authenticated'), group('system:unauthenticated')] },
  { name: 'system:service-account-issuer-discovery', subjects: [group('system:serviceaccounts')] },
  { name: 'system:volume-scheduler', subjects: [user('system:kube-scheduler')] },
];

/** Bindings within the namespaces of the system. */
export const namespaceBindings: readonly BindingFacts[] = [
  { name: 'system:controller:bootstrap-signer', namespace: 'platform-public', subjects: [account('bootstrap-signer')] },
  {
    name: 'system::extension-apiserver-authentication-reader',
    namespace: 'platform-system',
    role: 'extension-apiserver-authentication-reader',
    subjects: [user('system:kube-controller-manager'), user('system:kube-scheduler')],
  },
  {
    name: 'system::leader-locking-kube-controller-manager',
    namespace: 'platform-system',
    subjects: [user('system:kube-controller-manager'), account('kube-controller-manager')],
  },
  {
    name: 'system::leader-locking-kube-scheduler',
    namespace: 'platform-system',
    subjects: [user('system:kube-scheduler'), account('kube-scheduler')],
  },
  { name: 'system:controller:bootstrap-signer', namespace: 'platform-system', subjects: [account('bootstrap-signer')] },
  { name: 'system:controller:cloud-provider', namespace: 'platform-system', subjects: [account('cloud-provider')] },
  { name: 'system:controller:token-cleaner', namespace: 'platform-system', subjects: [account('token-cleaner')] },
];
