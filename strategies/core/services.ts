/** Service: its type and what follows from that, its addresses and ports, and how tables show it. */
import type { ApiObject, Strategy } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { labelText } from '../shared/label-text.js';
import { loadBalancerErrors, loadBalancerText } from '../shared/load-balancer-status.js';
import { addressRecords } from './services/address-records.js';
import { defineServiceAllocation } from './services/allocation.js';
import { setDefaults } from './services/defaults.js';
import type { ServiceRanges } from './services/ranges.js';
import { clusterIPsOf, numberAt, portsOf, specOf, textsOf, typeOf } from './services/spec.js';
import { dropFieldsOfOldType } from './services/type-change.js';
import { serviceUpdateErrors } from './services/update-validation.js';
import { serviceErrors } from './services/validation.js';
import { serviceWarnings } from './services/warnings.js';

export function defineServiceStrategy(naming: Naming, ranges: ServiceRanges): Strategy {
  const { rename } = naming;
  const sourceRanges = rename('service.beta.platform.io/load-balancer-source-ranges');
  const topology = {
    deprecated: rename('service.platform.io/topology-aware-hints'),
    current: rename('service.platform.io/topology-mode'),
  };
  return {
    kind: 'Service',
    repeatsMetadataErrors: true,
    canonicalize: setDefaults,
    prepareForUpdate(service, old, { subresource }) {
      if (subresource === '') dropFieldsOfOldType(service, old);
    },
    allocation: defineServiceAllocation(ranges, addressRecords(naming)),
    validate: (service, { subresource }) =>
      subresource === 'status' ? loadBalancerErrors(service) : serviceErrors(service, sourceRanges),
    validateUpdate: (service, old, { subresource }) =>
      subresource === 'status' ? [] : serviceUpdateErrors(service, old),
    warnings: (service) => serviceWarnings(service, topology),
    cell: (service, column) => cells.get(column)?.(service),
  };
}

const cells: ReadonlyMap<string, (service: ApiObject) => string> = new Map([
  ['Type', typeOf],
  ['Cluster-IP', (service: ApiObject) => clusterIPsOf(service)[0] ?? '<none>'],
  ['External-IP', externalText],
  ['Port(s)', portText],
  ['Selector', (service: ApiObject) => labelText(objectAt(specOf(service), 'selector'))],
]);

function externalText(service: ApiObject): string {
  const own = textsOf(service, 'externalIPs').join(',');
  switch (typeOf(service)) {
    case 'ClusterIP':
    case 'NodePort':
      return own || '<none>';
    case 'LoadBalancer':
      return [loadBalancerText(service), own].filter((text) => text !== '').join(',') || '<pending>';
    case 'ExternalName':
      return stringAt(specOf(service), 'externalName');
    default:
      return '<unknown>';
  }
}

/** As in `80/TCP,443:30443/TCP`. */
function portText(service: ApiObject): string {
  const texts = portsOf(service).map((port) => {
    const nodePort = numberAt(port, 'nodePort');
    return `${numberAt(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${stringAt(port, 'protocol')}`;
  });
  return texts.join(',') || '<none>';
}
