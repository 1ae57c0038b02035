/** IPAddress: its name is an address in canonical form. */
import type { IPAddress } from '../../generated/networking.platform.io/v1alpha1/ipaddresses/types.js';
import type { ParentReference } from '../../generated/types/networking/v1alpha1/types.js';
import type { Draft, Strategy } from '../../runtime/contract/index.js';
import { formatIpAddress, parseIpAddress } from '../../runtime/objects/addresses/ip-address.js';
import { defineStrategy } from '../../runtime/objects/define-strategy.js';
import { qualifiedName } from '../../runtime/objects/gvk.js';
import { pathSegment } from '../../runtime/objects/names/names.js';

export const defineIPAddressStrategy = (): Strategy =>
  defineStrategy<IPAddress>('networking.platform.io/IPAddress', {
    validateName: nameProblems,
    cell: ({ spec }, column) => (column === 'ParentRef' ? parentText(spec?.parentRef) : undefined),
  });

function nameProblems(name: string): readonly string[] {
  const read = parseIpAddress(name);
  if (!read.ok) return [read.problem];
  if (formatIpAddress(read.address) !== name) return ['not a valid ip in canonical format'];
  // A zone is part of a canonical address, but its percent sign cannot be part of a path.
  return pathSegment(name);
}

/** As in `services/default/web` and `gateways.gateway.example.com/edge/gw`. */
function parentText(parent: Draft<ParentReference> | undefined): string {
  if (!parent) return '<none>';
  const { group = '', resource = '', namespace, name = '' } = parent;
  return [qualifiedName(group, resource).toLowerCase(), ...(namespace ? [namespace] : []), name].join('/');
}
