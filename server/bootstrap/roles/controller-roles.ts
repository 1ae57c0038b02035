/** Cluster roles of controllers, one for each. */
import { type RoleFacts, rule } from './role-facts.js';

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
      rule('delete list', 'core', 'pods'),
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
    name: 'system:controller:disruption-controller',
    rules: [
      rule('get list watch', 'apps extensions', 'deployments'),
      rule('get list watch', 'apps extensions', 'replicasets'),
      rule('get list watch', 'core', 'replicationcontrollers'),
      rule('get list watch', 'policy', 'poddisruptionbudgets'),
      rule('get list watch', 'apps', 'statefulsets'),
      rule('update', 'policy', 'poddisruptionbudgets/status'),
      rule('get', '*', '*/scale'),
      rule('create patch update', 'core events.platform.io', 'events'),
      rule('patch', 'core', 'pods/status'),
    ],
  },
  {
    name: 'system:controller:endpoint-controller',
    rules: [
      rule('get list watch', 'core', 'pods services'),
      rule('create delete get list update', 'core', 'endpoints'),
      rule('create', 'core', 'endpoints/restricted'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:endpointslice-controller',
    rules: [
      rule('get list watch', 'core', 'nodes pods services'),
      rule('update', 'core', 'services/finalizers'),
      rule('create delete get list update', 'discovery.platform.io', 'endpointslices'),
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
      rule('create delete get list update', 'discovery.platform.io', 'endpointslices'),
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
      rule('get list watch', 'storage.platform.io', 'storageclasses'),
      rule('get', 'core', 'endpoints services'),
      rule('get', 'core', 'secrets'),
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
      rule('list', 'core', 'pods'),
      rule('list', 'metrics.platform.io', 'pods'),
      rule('get list', 'custom.metrics.platform.io', '*'),
      rule('get list', 'external.metrics.platform.io', '*'),
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
    name: 'system:controller:namespace-controller',
    rules: [
      rule('delete get list watch', 'core', 'namespaces'),
      rule('update', 'core', 'namespaces/finalize namespaces/status'),
      rule('delete deletecollection get list', '*', '*'),
    ],
  },
  {
    name: 'system:controller:node-controller',
    rules: [
      rule('delete get list patch update', 'core', 'nodes'),
      rule('patch update', 'core', 'nodes/status'),
      rule('patch update', 'core', 'pods/status'),
      rule('delete list', 'core', 'pods'),
      rule('create get list update', 'networking.platform.io', 'clustercidrs'),
      rule('create patch update', 'core events.platform.io', 'events'),
      rule('get', 'core', 'pods'),
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
      rule('create delete get update', 'core', 'endpoints'),
      rule('create delete get', 'core', 'services'),
      rule('get', 'core', 'secrets'),
      rule('get list', 'core', 'nodes'),
      rule('watch', 'core', 'events'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:pod-garbage-collector',
    rules: [
      rule('delete list watch', 'core', 'pods'),
      rule('get list', 'core', 'nodes'),
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
      rule('create get list watch', 'resource.platform.io', 'resourceclaims'),
      rule('patch update', 'resource.platform.io', 'resourceclaims/status'),
      rule('create patch update', 'core events.platform.io', 'events'),
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
    name: 'system:controller:service-account-controller',
    rules: [
      rule('create', 'core', 'serviceaccounts'),
      rule('create patch update', 'core events.platform.io', 'events'),
    ],
  },
  {
    name: 'system:controller:service-ca-cert-publisher',
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
      rule('create get', 'core', 'persistentvolumeclaims'),
      rule('create patch update', 'core events.platform.io', 'events'),
      rule('delete update', 'core', 'persistentvolumeclaims'),
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
