/** IPAddress: its name is an address in canonical form. */
import type { ApiObject, Strategy } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { qualifiedName } from '../../runtime/objects/gvk.js';
import { formatIpAddress, parseIpAddress } from '../../runtime/objects/ip-address.js';
import { pathSegment } from '../../runtime/objects/names.js';

export function defineIPAddressStrategy(): Strategy {
  return {
    kind: 'networking.platform.io/IPAddress',
    validateName: nameProblems,
    cell: (object, column) => (column === 'ParentRef' ? parentText(object) : undefined),
  };
}

function nameProblems(name: string): readonly string[] {
  const read = parseIpAddress(name);
  if (!read.ok) return [read.problem];
  if (formatIpAddress(read.address) !== name) return ['not a valid ip in canonical format'];
  // A zone is part of a canonical address, but its percent sign cannot be part of a path.
  return pathSegment(name);
}

/** As in `services/default/web` and `gateways.gateway.example.com/edge/gw`. */
function parentText(object: ApiObject): string {
  const parent = objectAt(objectAt(object, 'spec'), 'parentRef');
  if (!parent) return '<none>';
  const resource = qualifiedName(stringAt(parent, 'group'), stringAt(parent, 'resource')).toLowerCase();
  const namespace = stringAt(parent, 'namespace');
  return [resource, ...(namespace === '' ? [] : [namespace]), stringAt(parent, 'name')].join('/');
}
