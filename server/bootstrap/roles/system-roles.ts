/** Cluster roles of every authenticated user, and of the components of a cluster. */
import { paths, type RoleFacts, rule, since, until } from './role-facts.js';

/** Sorted by name. */
export const systemRoles: readonly RoleFacts[] = [
  {
    name: 'system:auth-delegator',
    rules: [
      rule('create', 'authentication.platform.io', 'tokenreviews'),
      rule('create', 'authorization.platform.io', 'subjectaccessreviews'),
    ],
  },
  {
    name: 'system:basic-user',
    rules: [
      rule('create', 'authorization.platform.io', 'selfsubjectaccessreviews selfsubjectrulesreviews'),
      rule('create', 'authentication.platform.io', 'selfsubjectreviews'),
    ],
  },
  {
    name: 'system:certificates.platform.io:certificatesigningrequests:nodeclient',
    rules: [rule('create', 'certificates.platform.io', 'certificatesigningrequests/nodeclient')],
  },
  {
    name: 'system:certificates.platform.io:certificatesigningrequests:selfnodeclient',
    rules: [rule('create', 'certificates.platform.io', 'certificatesigningrequests/selfnodeclient')],
  },
  {
    name: 'system:certificates.platform.io:kube-apiserver-client-approver',
    rules: [rule('approve', 'certificates.platform.io', 'signers', 'platform.io/apiserver-client')],
  },
  {
    name: 'system:certificates.platform.io:kube-apiserver-client-kubelet-approver',
    rules: [rule('approve', 'certificates.platform.io', 'signers', 'platform.io/apiserver-client-agent')],
  },
  {
    name: 'system:certificates.platform.io:kubelet-serving-approver',
    rules: [rule('approve', 'certificates.platform.io', 'signers', 'platform.io/agent-serving')],
  },
  {
    name: 'system:certificates.platform.io:legacy-unknown-approver',
    rules: [rule('approve', 'certificates.platform.io', 'signers', 'platform.io/legacy-unknown')],
  },
  {
    name: 'system:discovery',
    rules: [paths('get', '/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/')],
  },
  {
    name: 'system:heapster',
    rules: [
      rule('get list watch', 'core', 'events namespaces nodes pods'),
      rule('get list watch', 'extensions', 'deployments'),
    ],
  },
  { name: 'system:kube-aggregator', rules: [rule('get list watch', 'core', 'endpoints services')] },
  {
    name: 'system:kube-controller-manager',
    rules: [
      rule('create patch update', 'core events.platform.io', 'events'),
      rule('create', 'coordination.platform.io', 'leases'),
      rule('get update', 'coordination.platform.io', 'leases', 'kube-controller-manager'),
      until('1.33', rule('create', 'core', 'endpoints')),
      until('1.33', rule('get update', 'core', 'endpoints', 'kube-controller-manager')),
      rule('create', 'core', 'secrets serviceaccounts'),
      rule('delete', 'core', 'secrets'),
      rule('get', 'core', 'configmaps namespaces secrets serviceaccounts'),
      rule('update', 'core', 'secrets serviceaccounts'),
      rule('create', 'authentication.platform.io', 'tokenreviews'),
      rule('create', 'authorization.platform.io', 'subjectaccessreviews'),
      rule('list watch', '*', '*'),
      rule('create', 'core', 'serviceaccounts/token'),
    ],
  },
  { name: 'system:kube-dns', rules: [rule('list watch', 'core', 'endpoints services')] },
  {
    name: 'system:kube-scheduler',
    rules: [
      rule('create patch update', 'core events.platform.io', 'events'),
      rule('create', 'coordination.platform.io', 'leases'),
      until('1.31', rule('get update', 'coordination.platform.io', 'leases', 'kube-scheduler')),
      since('1.31', rule('get list update watch', 'coordination.platform.io', 'leases', 'kube-scheduler')),
      since(
        '1.31',
        rule(
          'create delete deletecollection get list patch update watch',
          'coordination.platform.io',
          'leasecandidates',
        ),
      ),
      until('1.33', rule('create', 'core', 'endpoints')),
      until('1.33', rule('get update', 'core', 'endpoints', 'kube-scheduler')),
      rule('get list watch', 'core', 'nodes'),
      rule('delete get list watch', 'core', 'pods'),
      rule('create', 'core', 'bindings pods/binding'),
      rule('patch update', 'core', 'pods/status'),
      rule('get list watch', 'core', 'replicationcontrollers services'),
      rule('get list watch', 'apps extensions', 'replicasets'),
      rule('get list watch', 'apps', 'statefulsets'),
      rule('get list watch', 'policy', 'poddisruptionbudgets'),
      rule('get list watch', 'core', 'persistentvolumeclaims persistentvolumes'),
      rule('create', 'authentication.platform.io', 'tokenreviews'),
      rule('create', 'authorization.platform.io', 'subjectaccessreviews'),
      rule('get list watch', 'storage.platform.io', 'csinodes'),
      since('1.34', rule('get list watch', 'storage.platform.io', 'volumeattachments')),
      rule('get list watch', 'core', 'namespaces'),
      rule('get list watch', 'storage.platform.io', 'csidrivers'),
      rule('get list watch', 'storage.platform.io', 'csistoragecapacities'),
      until('1.31', rule('get list watch', 'resource.platform.io', 'resourceclaims resourceclasses')),
      since('1.31', rule('get list watch', 'resource.platform.io', 'deviceclasses')),
      since('1.31', rule('get list patch update watch', 'resource.platform.io', 'resourceclaims')),
      rule('get list patch update watch', 'resource.platform.io', 'resourceclaims/status'),
      until(
        '1.32',
        rule(
          'create delete deletecollection get list patch update watch',
          'resource.platform.io',
          'podschedulingcontexts',
        ),
      ),
      until('1.32', rule('get list watch', 'resource.platform.io', 'podschedulingcontexts/status')),
      since('1.31', rule('update', 'core', 'pods/finalizers')),
      since('1.31', rule('get list watch', 'resource.platform.io', 'resourceslices')),
      since('1.36', rule('create delete', 'resource.platform.io', 'resourceclaims')),
      since('1.36', rule('patch update', 'resource.platform.io', 'resourceclaims/binding')),
    ],
  },
  {
    name: 'system:kubelet-api-admin',
    rules: [
      rule('get list watch', 'core', 'nodes'),
      rule('proxy', 'core', 'nodes'),
      rule('*', 'core', 'nodes/log nodes/metrics nodes/proxy nodes/stats'),
      since('1.33', rule('*', 'core', 'nodes/configz nodes/healthz nodes/pods')),
    ],
  },
  {
    name: 'system:monitoring',
    rules: [
      until('1.35', paths('get', '/healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/*')),
      since(
        '1.35',
        paths('get', '/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz'),
      ),
      since('1.36', rule('get', 'core', 'nodes/metrics')),
    ],
  },
  {
    name: 'system:node',
    rules: [
      rule('create', 'authentication.platform.io', 'tokenreviews'),
      rule('create', 'authorization.platform.io', 'localsubjectaccessreviews subjectaccessreviews'),
      rule('get list watch', 'core', 'services'),
      rule('create get list watch', 'core', 'nodes'),
      rule('patch update', 'core', 'nodes/status'),
      rule('patch update', 'core', 'nodes'),
      until('1.31', rule('create patch update', 'core', 'events')),
      since('1.31', rule('create patch update', 'core events.platform.io', 'events')),
      rule('get list watch', 'core', 'pods'),
      rule('create delete', 'core', 'pods'),
      rule('patch update', 'core', 'pods/status'),
      rule('create', 'core', 'pods/eviction'),
      rule('get list watch', 'core', 'configmaps secrets'),
      rule('get', 'core', 'persistentvolumeclaims persistentvolumes'),
      rule('get', 'core', 'endpoints'),
      rule('create get list watch', 'certificates.platform.io', 'certificatesigningrequests'),
      rule('create delete get patch update', 'coordination.platform.io', 'leases'),
      rule('get', 'storage.platform.io', 'volumeattachments'),
      rule('create', 'core', 'serviceaccounts/token'),
      rule('get patch update', 'core', 'persistentvolumeclaims/status'),
      rule('get list watch', 'storage.platform.io', 'csidrivers'),
      rule('create delete get patch update', 'storage.platform.io', 'csinodes'),
      rule('get list watch', 'node.platform.io', 'runtimeclasses'),
      rule('get', 'resource.platform.io', 'resourceclaims'),
      since('1.31', rule('deletecollection', 'resource.platform.io', 'resourceslices')),
      since('1.34', rule('get', 'core', 'serviceaccounts')),
    ],
  },
  {
    name: 'system:node-bootstrapper',
    rules: [rule('create get list watch', 'certificates.platform.io', 'certificatesigningrequests')],
  },
  {
    name: 'system:node-problem-detector',
    rules: [
      rule('get', 'core', 'nodes'),
      rule('patch', 'core', 'nodes/status'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:node-proxier',
    rules: [
      rule('list watch', 'core', 'endpoints services'),
      rule('get list watch', 'core', 'nodes'),
      rule('create patch update', 'core events.platform.io', 'events'),
      since('1.33', rule('list watch', 'networking.platform.io', 'servicecidrs')),
      rule('list watch', 'discovery.platform.io', 'endpointslices'),
    ],
  },
  {
    name: 'system:persistent-volume-provisioner',
    rules: [
      rule('create delete get list watch', 'core', 'persistentvolumes'),
      rule('get list update watch', 'core', 'persistentvolumeclaims'),
      rule('get list watch', 'storage.platform.io', 'storageclasses'),
      rule('watch', 'core', 'events'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  { name: 'system:public-info-viewer', rules: [paths('get', '/healthz /livez /readyz /version /version/')] },
  {
    name: 'system:service-account-issuer-discovery',
    rules: [
      until('1.31', paths('get', '/.well-known/openid-configuration /openid/v1/jwks')),
      since(
        '1.31',
        paths(
          'get',
          '/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/',
        ),
      ),
    ],
  },
  {
    name: 'system:volume-scheduler',
    rules: [
      rule('get list patch update watch', 'core', 'persistentvolumes'),
      rule('get list watch', 'storage.platform.io', 'storageclasses'),
      rule('get list patch update watch', 'core', 'persistentvolumeclaims'),
    ],
  },
];
