/** Cluster roles of controllers, one for each. */
import { type RoleFacts, rule, since, until } from './role-facts.js';

/** Each allows what the controller does. */
export const controllerRoles: readonly RoleFacts[] = [
  {
    name: 'system:controller:attachdetach-controller',
    rules: [
      rule('list watch', 'core', 'persistentvolumeclaims persistentvolumes'),
      rule('get list watch', 'core', 'nodes'),
      rule('patch update', 'core', 'nodes/status'),
      rule('list watch', 'core', 'pods'),
      rule('create patch update', 'core events.platform.io', 'events'),
      rule('create delete get list watch', 'storage.platform.io', 'volumeattachments'),
      rule('get list watch', 'storage.platform.io', 'csidrivers'),
      rule('get list watch', 'storage.platform.io', 'csinodes'),
    ],
  },
  {
    name: 'system:controller:certificate-controller',
    rules: [
      rule('delete get list watch', 'certificates.platform.io', 'certificatesigningrequests'),
      rule(
        'update',
        'certificates.platform.io',
        'certificatesigningrequests/approval certificatesigningrequests/status',
      ),
      rule('approve', 'certificates.platform.io', 'signers', 'platform.io/apiserver-client-agent'),
      rule(
        'sign',
        'certificates.platform.io',
        'signers',
        'platform.io/apiserver-client platform.io/apiserver-client-agent platform.io/agent-serving platform.io/legacy-unknown',
      ),
      rule('create', 'authorization.platform.io', 'subjectaccessreviews'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:clusterrole-aggregation-controller',
    rules: [rule('escalate get list patch update watch', 'rbac.authorization.platform.io', 'clusterroles')],
  },
  {
    name: 'system:controller:cronjob-controller',
    rules: [
      rule('get list update watch', 'batch', 'cronjobs'),
      rule('create delete get list patch update watch', 'batch', 'jobs'),
      rule('update', 'batch', 'cronjobs/status'),
      rule('update', 'batch', 'cronjobs/finalizers'),
      until('1.35', rule('delete list', 'core', 'pods')),
      since('1.35', rule('delete list watch', 'core', 'pods')),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:daemon-set-controller',
    rules: [
      rule('get list watch', 'apps extensions', 'daemonsets'),
      rule('update', 'apps extensions', 'daemonsets/status'),
      rule('update', 'apps extensions', 'daemonsets/finalizers'),
      rule('list watch', 'core', 'nodes'),
      rule('create delete list patch watch', 'core', 'pods'),
      rule('create', 'core', 'pods/binding'),
      rule('create delete get list patch update watch', 'apps', 'controllerrevisions'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:deployment-controller',
    rules: [
      rule('get list update watch', 'apps extensions', 'deployments'),
      rule('update', 'apps extensions', 'deployments/status'),
      rule('update', 'apps extensions', 'deployments/finalizers'),
      rule('create delete get list patch update watch', 'apps extensions', 'replicasets'),
      rule('get list update watch', 'core', 'pods'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:device-taint-eviction-controller',
    introduced: '1.36',
    rules: [
      rule('delete get list watch', 'core', 'pods'),
      rule('patch update', 'core', 'pods/status'),
      rule('get list watch', 'resource.platform.io', 'resourceclaims'),
      rule('get list watch', 'resource.platform.io', 'resourceslices'),
      rule('get list watch', 'resource.platform.io', 'deviceclasses'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:disruption-controller',
    rules: [
      rule('get list watch', 'apps extensions', 'deployments'),
      rule('get list watch', 'apps extensions', 'replicasets'),
      rule('get list watch', 'core', 'replicationcontrollers'),
      rule('get list watch', 'policy', 'poddisruptionbudgets'),
      rule('get list watch', 'apps', 'statefulsets'),
      rule('update', 'policy', 'poddisruptionbudgets/status'),
      since('1.31', rule('patch update', 'core', 'pods/status')),
      rule('get', '*', '*/scale'),
      rule('create patch update', 'core events.platform.io', 'events'),
      until('1.31', rule('patch', 'core', 'pods/status')),
    ],
  },
  {
    name: 'system:controller:endpoint-controller',
    rules: [
      rule('get list watch', 'core', 'pods services'),
      until('1.35', rule('create delete get list update', 'core', 'endpoints')),
      since('1.35', rule('create delete get list update watch', 'core', 'endpoints')),
      rule('create', 'core', 'endpoints/restricted'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:endpointslice-controller',
    rules: [
      rule('get list watch', 'core', 'nodes pods services'),
      rule('update', 'core', 'services/finalizers'),
      until('1.35', rule('create delete get list update', 'discovery.platform.io', 'endpointslices')),
      since('1.35', rule('create delete get list update watch', 'discovery.platform.io', 'endpointslices')),
      rule('create', 'discovery.platform.io', 'endpointslices/restricted'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:endpointslicemirroring-controller',
    rules: [
      rule('get list watch', 'core', 'endpoints services'),
      rule('update', 'core', 'services/finalizers'),
      rule('update', 'core', 'endpoints/finalizers'),
      until('1.35', rule('create delete get list update', 'discovery.platform.io', 'endpointslices')),
      since('1.35', rule('create delete get list update watch', 'discovery.platform.io', 'endpointslices')),
      rule('create', 'discovery.platform.io', 'endpointslices/restricted'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:ephemeral-volume-controller',
    rules: [
      rule('get list watch', 'core', 'pods'),
      rule('update', 'core', 'pods/finalizers'),
      rule('create get list watch', 'core', 'persistentvolumeclaims'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:expand-controller',
    rules: [
      rule('get list patch update watch', 'core', 'persistentvolumes'),
      rule('patch update', 'core', 'persistentvolumeclaims/status'),
      rule('get list watch', 'core', 'persistentvolumeclaims'),
      until('1.31', rule('get list watch', 'storage.platform.io', 'storageclasses')),
      until('1.31', rule('get', 'core', 'endpoints services')),
      until('1.31', rule('get', 'core', 'secrets')),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:generic-garbage-collector',
    rules: [
      rule('delete get list patch update watch', '*', '*'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:horizontal-pod-autoscaler',
    rules: [
      rule('get list watch', 'autoscaling', 'horizontalpodautoscalers'),
      rule('update', 'autoscaling', 'horizontalpodautoscalers/status'),
      rule('get update', '*', '*/scale'),
      until('1.35', rule('list', 'core', 'pods')),
      since('1.35', rule('list watch', 'core', 'pods')),
      until('1.35', rule('list', 'metrics.platform.io', 'pods')),
      since('1.35', rule('list watch', 'metrics.platform.io', 'pods')),
      until('1.35', rule('get list', 'custom.metrics.platform.io', '*')),
      since('1.35', rule('get list watch', 'custom.metrics.platform.io', '*')),
      until('1.35', rule('get list', 'external.metrics.platform.io', '*')),
      since('1.35', rule('get list watch', 'external.metrics.platform.io', '*')),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:job-controller',
    rules: [
      rule('get list patch update watch', 'batch', 'jobs'),
      rule('update', 'batch', 'jobs/status'),
      rule('update', 'batch', 'jobs/finalizers'),
      rule('create delete list patch watch', 'core', 'pods'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:legacy-service-account-token-cleaner',
    introduced: '1.29',
    rules: [
      rule('get', 'core', 'configmaps', 'kube-apiserver-legacy-service-account-token-tracking'),
      rule('delete patch', 'core', 'secrets'),
    ],
  },
  {
    name: 'system:controller:namespace-controller',
    rules: [
      rule('delete get list watch', 'core', 'namespaces'),
      rule('update', 'core', 'namespaces/finalize namespaces/status'),
      until('1.35', rule('delete deletecollection get list', '*', '*')),
      since('1.35', rule('delete deletecollection get list watch', '*', '*')),
    ],
  },
  {
    name: 'system:controller:node-controller',
    rules: [
      until('1.35', rule('delete get list patch update', 'core', 'nodes')),
      since('1.35', rule('delete get list patch update watch', 'core', 'nodes')),
      rule('patch update', 'core', 'nodes/status'),
      rule('patch update', 'core', 'pods/status'),
      until('1.35', rule('delete list', 'core', 'pods')),
      since('1.35', rule('delete get list watch', 'core', 'pods')),
      until('1.29', rule('create get list update', 'networking.platform.io', 'clustercidrs')),
      rule('create patch update', 'core events.platform.io', 'events'),
      until('1.35', rule('get', 'core', 'pods')),
    ],
  },
  {
    name: 'system:controller:persistent-volume-binder',
    rules: [
      rule('create delete get list update watch', 'core', 'persistentvolumes'),
      rule('update', 'core', 'persistentvolumes/status'),
      rule('get list update watch', 'core', 'persistentvolumeclaims'),
      rule('update', 'core', 'persistentvolumeclaims/status'),
      rule('create delete get list watch', 'core', 'pods'),
      rule('get list watch', 'storage.platform.io', 'storageclasses'),
      until('1.31', rule('create delete get update', 'core', 'endpoints')),
      until('1.31', rule('create delete get', 'core', 'services')),
      until('1.31', rule('get', 'core', 'secrets')),
      until('1.35', rule('get list', 'core', 'nodes')),
      since('1.35', rule('list watch', 'core', 'nodes')),
      until('1.31', rule('watch', 'core', 'events')),
      rule('create patch update', 'core events.platform.io', 'events'),
      since('1.31', rule('watch', 'core', 'events')),
    ],
  },
  {
    name: 'system:controller:pod-garbage-collector',
    rules: [
      rule('delete list watch', 'core', 'pods'),
      until('1.35', rule('get list', 'core', 'nodes')),
      since('1.35', rule('get list watch', 'core', 'nodes')),
      rule('patch', 'core', 'pods/status'),
    ],
  },
  {
    name: 'system:controller:pv-protection-controller',
    rules: [
      rule('get list update watch', 'core', 'persistentvolumes'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:pvc-protection-controller',
    rules: [
      rule('get list update watch', 'core', 'persistentvolumeclaims'),
      since('1.36', rule('update', 'core', 'persistentvolumeclaims/status')),
      rule('get list watch', 'core', 'pods'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:replicaset-controller',
    rules: [
      rule('get list update watch', 'apps extensions', 'replicasets'),
      rule('update', 'apps extensions', 'replicasets/status'),
      rule('update', 'apps extensions', 'replicasets/finalizers'),
      rule('create delete list patch watch', 'core', 'pods'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:replication-controller',
    rules: [
      rule('get list update watch', 'core', 'replicationcontrollers'),
      rule('update', 'core', 'replicationcontrollers/status'),
      rule('update', 'core', 'replicationcontrollers/finalizers'),
      rule('create delete list patch watch', 'core', 'pods'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:resource-claim-controller',
    rules: [
      rule('get list watch', 'core', 'pods'),
      rule('update', 'core', 'pods/finalizers'),
      until('1.32', rule('create get list watch', 'resource.platform.io', 'resourceclaims')),
      since('1.32', rule('create delete get list watch', 'resource.platform.io', 'resourceclaims')),
      until('1.32', rule('patch update', 'resource.platform.io', 'resourceclaims/status')),
      since('1.32', rule('patch update', 'resource.platform.io', 'resourceclaims resourceclaims/status')),
      since('1.32', rule('patch update', 'core', 'pods/status')),
      rule('create patch update', 'core events.platform.io', 'events'),
      since('1.36', rule('patch update', 'resource.platform.io', 'resourceclaims/binding')),
    ],
  },
  {
    name: 'system:controller:resourcequota-controller',
    rules: [
      rule('list watch', '*', '*'),
      rule('update', 'core', 'resourcequotas/status'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:root-ca-cert-publisher',
    rules: [
      rule('create update', 'core', 'configmaps'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:route-controller',
    rules: [
      rule('list watch', 'core', 'nodes'),
      rule('patch', 'core', 'nodes/status'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:selinux-warning-controller',
    introduced: '1.33',
    rules: [
      rule('create patch update', 'core events.platform.io', 'events'),
      rule('get list watch', 'core', 'persistentvolumes'),
      rule('get list watch', 'core', 'persistentvolumeclaims'),
      rule('get list watch', 'core', 'pods'),
      rule('get list watch', 'storage.platform.io', 'csidrivers'),
      since('1.36', rule('create', 'core', 'configmaps')),
      since('1.36', rule('patch', 'core', 'configmaps', 'selinux-conflicts')),
    ],
  },
  {
    name: 'system:controller:service-account-controller',
    rules: [
      rule('create', 'core', 'serviceaccounts'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:service-ca-cert-publisher',
    removed: '1.31',
    rules: [
      rule('create update', 'core', 'configmaps'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:service-cidrs-controller',
    introduced: '1.33',
    rules: [
      rule('get list patch update watch', 'networking.platform.io', 'servicecidrs'),
      rule('patch update', 'networking.platform.io', 'servicecidrs/finalizers'),
      rule('patch update', 'networking.platform.io', 'servicecidrs/status'),
      rule('get list watch', 'networking.platform.io', 'ipaddresses'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:service-controller',
    rules: [
      rule('get list watch', 'core', 'services'),
      rule('patch update', 'core', 'services/status'),
      rule('list watch', 'core', 'nodes'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:statefulset-controller',
    rules: [
      rule('list watch', 'core', 'pods'),
      rule('get list watch', 'apps', 'statefulsets'),
      rule('update', 'apps', 'statefulsets/status'),
      rule('update', 'apps', 'statefulsets/finalizers'),
      rule('create delete get patch update', 'core', 'pods'),
      rule('create delete get list patch update watch', 'apps', 'controllerrevisions'),
      until('1.35', rule('create get', 'core', 'persistentvolumeclaims')),
      since('1.35', rule('create get list watch', 'core', 'persistentvolumeclaims')),
      since('1.32', rule('delete update', 'core', 'persistentvolumeclaims')),
      since('1.32', rule('update', 'core', 'pods/finalizers')),
      rule('create patch update', 'core events.platform.io', 'events'),
      until('1.32', rule('delete update', 'core', 'persistentvolumeclaims')),
    ],
  },
  {
    name: 'system:controller:ttl-after-finished-controller',
    rules: [
      rule('delete get list watch', 'batch', 'jobs'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:ttl-controller',
    rules: [
      rule('list patch update watch', 'core', 'nodes'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:validatingadmissionpolicy-status-controller',
    introduced: '1.30',
    rules: [
      rule('get list watch', 'admissionregistration.platform.io', 'validatingadmissionpolicies'),
      rule('get patch update', 'admissionregistration.platform.io', 'validatingadmissionpolicies/status'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:volumeattributesclass-protection-controller',
    introduced: '1.34',
    rules: [
      rule('get list watch', 'core', 'persistentvolumeclaims'),
      rule('get list watch', 'core', 'persistentvolumes'),
      rule('get list update watch', 'storage.platform.io', 'volumeattributesclasses'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
];
