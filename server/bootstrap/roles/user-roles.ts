/** Cluster roles for people. */
import { paths, type RoleFacts, rule, since, until } from './role-facts.js';

/** From the role with all rights to the role with the fewest. */
export const userRoles: readonly RoleFacts[] = [
  { name: 'admin', gathers: 'admin', rules: [] },
  { name: 'cluster-admin', rules: [rule('*', '*', '*'), paths('*', '*')] },
  { name: 'edit', partOf: 'admin', gathers: 'edit', rules: [] },
  {
    name: 'system:aggregate-to-admin',
    partOf: 'admin',
    rules: [
      rule('create', 'authorization.platform.io', 'localsubjectaccessreviews'),
      rule(
        'create delete deletecollection get list patch update watch',
        'rbac.authorization.platform.io',
        'rolebindings roles',
      ),
    ],
  },
  {
    name: 'system:aggregate-to-edit',
    partOf: 'edit',
    rules: [
      rule('get list watch', 'core', 'pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy'),
      rule('impersonate', 'core', 'serviceaccounts'),
      rule(
        'create delete deletecollection patch update',
        'core',
        'pods pods/attach pods/exec pods/portforward pods/proxy',
      ),
      rule('create', 'core', 'pods/eviction'),
      until(
        '1.33',
        rule(
          'create delete deletecollection patch update',
          'core',
          'configmaps endpoints events persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
        ),
      ),
      since(
        '1.33',
        rule(
          'create delete deletecollection patch update',
          'core',
          'configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy',
        ),
      ),
      rule('create', 'core', 'serviceaccounts/token'),
      since('1.33', rule('create delete deletecollection patch update', 'core events.platform.io', 'events')),
      rule(
        'create delete deletecollection patch update',
        'apps',
        'daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale',
      ),
      rule('create delete deletecollection patch update', 'autoscaling', 'horizontalpodautoscalers'),
      rule('create delete deletecollection patch update', 'batch', 'cronjobs jobs'),
      rule(
        'create delete deletecollection patch update',
        'extensions',
        'daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale',
      ),
      rule('create delete deletecollection patch update', 'policy', 'poddisruptionbudgets'),
      rule('create delete deletecollection patch update', 'networking.platform.io', 'ingresses networkpolicies'),
      rule('create delete deletecollection get list patch update watch', 'coordination.platform.io', 'leases'),
      since(
        '1.34',
        rule(
          'create delete deletecollection patch update',
          'resource.platform.io',
          'resourceclaims resourceclaimtemplates',
        ),
      ),
    ],
  },
  {
    name: 'system:aggregate-to-view',
    partOf: 'view',
    rules: [
      rule(
        'get list watch',
        'core',
        'configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status',
      ),
      until(
        '1.33',
        rule(
          'get list watch',
          'core',
          'bindings events limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
        ),
      ),
      since(
        '1.33',
        rule(
          'get list watch',
          'core',
          'bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status',
        ),
      ),
      rule('get list watch', 'core', 'namespaces'),
      since('1.33', rule('get list watch', 'core events.platform.io', 'events')),
      rule('get list watch', 'discovery.platform.io', 'endpointslices'),
      rule(
        'get list watch',
        'apps',
        'controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status',
      ),
      rule('get list watch', 'autoscaling', 'horizontalpodautoscalers horizontalpodautoscalers/status'),
      rule('get list watch', 'batch', 'cronjobs cronjobs/status jobs jobs/status'),
      rule(
        'get list watch',
        'extensions',
        'daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale',
      ),
      rule('get list watch', 'policy', 'poddisruptionbudgets poddisruptionbudgets/status'),
      rule('get list watch', 'networking.platform.io', 'ingresses ingresses/status networkpolicies'),
      since(
        '1.34',
        rule('get list watch', 'resource.platform.io', 'resourceclaims resourceclaims/status resourceclaimtemplates'),
      ),
    ],
  },
  { name: 'view', partOf: 'edit', gathers: 'view', rules: [] },
];
