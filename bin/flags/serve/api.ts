/** Flags of `kindforge serve`: which API it serves, and what runs beside it. */
import type { FlagGroup } from '../flag.js';

export const api = {
  heading: 'The API',
  flags: [
    {
      name: 'schemas',
      value: '<dir>',
      about: 'folder with your own definitions, native or CustomResourceDefinitions',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'naming',
      value: '<names>',
      about: 'names of API groups: platform, or kubernetes for Kubernetes clients',
      byDefault: 'platform',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'feature-gates',
      value: '<gates>',
      about: 'feature gates to set, such as A=true,B=false',
      byDefault: '',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'runtime-config',
      value: '<config>',
      about: 'API versions to enable or disable, such as api/alpha=true,<group>/<version>/<resource>=false',
      byDefault: '',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'emulated-version',
      value: '<version>',
      about: '1.27: behave as Kubernetes 1.27, without later features',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'controllers',
      value: '<names>',
      about:
        'controllers to run, comma-separated: * for those on by default, name to add one, -name to leave one out; or none',
      byDefault: '*',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'leader-elect',
      about: 'run the controllers in one server only, of those that share data in etcd',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'service-cluster-ip-range',
      value: '<blocks>',
      about: 'IP range of Services in CIDR notation, or one IPv4 and one IPv6 range, comma-separated',
      byDefault: '10.0.0.0/16',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'service-node-port-range',
      value: '<ports>',
      about: 'range of node ports of Services',
      byDefault: '30000-32767',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'default-not-ready-toleration-seconds',
      value: '<seconds>',
      about: 'how long a pod stays on a node that is not ready, where it does not say it',
      byDefault: '300',
      stability: 'beta',
      since: '0.1',
    },
    {
      name: 'default-unreachable-toleration-seconds',
      value: '<seconds>',
      about: 'how long a pod stays on a node that is not reachable, where it does not say it',
      byDefault: '300',
      stability: 'beta',
      since: '0.1',
    },
  ],
} as const satisfies FlagGroup;
