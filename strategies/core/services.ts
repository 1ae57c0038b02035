/** Service: its type and what follows from that, its addresses and ports, and its columns. */
import { defineServiceHandlers } from '../../generated/core/v1/services/handlers.js';
import type { KindHandlers } from '../../runtime/contract/index.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { labelText } from '../shared/label-text.js';
import { loadBalancerErrors, loadBalancerText } from '../shared/load-balancer-status.js';
import { addressRecords } from './services/address-records.js';
import { defineServiceAllocation } from './services/allocation.js';
import { setDefaults } from './services/defaults.js';
import type { ServiceRanges } from './services/ranges.js';
import { clusterIPsOf, portsOf, type ServiceDraft, typeOf } from './services/spec.js';
import { dropFieldsOfOldType } from './services/type-change.js';
import { serviceUpdateErrors } from './services/update-validation.js';
import { serviceErrors } from './services/validation.js';
import { serviceWarnings } from './services/warnings.js';

const checkedFields = [
  ...['spec.clusterIPs', 'spec.ipFamilies', 'spec.ipFamilyPolicy', 'spec.externalName'],
  ...['name', 'port', 'protocol', 'targetPort', 'appProtocol'].map((name) => `spec.ports[].${name}`),
  ...['spec.selector', 'spec.sessionAffinity', 'spec.sessionAffinityConfig', 'spec.externalIPs', 'spec.type'],
  ...['spec.LoadBalancerSourceRanges', 'spec.allocateLoadBalancerNodePorts', 'spec.loadBalancerClass'],
  ...['spec.externalTrafficPolicy', 'spec.healthCheckNodePort', 'spec.internalTrafficPolicy'],
];

export function defineServices(naming: Naming, ranges: ServiceRanges): KindHandlers {
  const { rename } = naming;
  const sourceRanges = rename('service.beta.platform.io/load-balancer-source-ranges');
  const topology = {
    deprecated: rename('service.platform.io/topology-aware-hints'),
    current: rename('service.platform.io/topology-mode'),
  };
  return defineServiceHandlers({
    errorOrder: checkedFields,
    changesFirst: true,
    repeatsMetadataErrors: true,
    canonicalize: setDefaults,
    prepareForUpdate(service, old, { subresource }) {
      if (subresource === '') dropFieldsOfOldType(service, old);
    },
    allocation: defineServiceAllocation(ranges, addressRecords(naming)),
    validate: (service, { subresource }) =>
      subresource === 'status'
        ? loadBalancerErrors(service.status?.loadBalancer?.ingress)
        : serviceErrors(service, sourceRanges, topology),
    validateUpdate: (service, old, { subresource }) =>
      subresource === 'status' ? [] : serviceUpdateErrors(service, old),
    warn: (service) => serviceWarnings(service, topology),
    columns: {
      Type: typeOf,
      'Cluster-IP': (service) => clusterIPsOf(service)[0] ?? '<none>',
      'External-IP': externalText,
      'Port(s)': portText,
      Selector: ({ spec }) => labelText(spec?.selector),
    },
  });
}

function externalText({ spec = {}, status }: ServiceDraft): string {
  const own = spec.externalIPs?.join(',') ?? '';
  switch (spec.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own || '<none>';
    case 'LoadBalancer': {
      const balancer = loadBalancerText(status?.loadBalancer?.ingress);
      return [balancer, own].filter((text) => text !== '').join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

/** As in `80/TCP,443:30443/TCP`. */
function portText(service: ServiceDraft): string {
  const texts = portsOf(service).map(({ port = 0, nodePort = 0, protocol = '' }) => {
    const onNodes = nodePort > 0 ? `:${nodePort}` : '';
    return `${port}${onNodes}/${protocol}`;
  });
  return texts.join(',') || '<none>';
}
