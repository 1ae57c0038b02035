/** IPAddress: its name is an address in canonical form. */
import { defineIPAddressHandlers } from '../../generated/networking.platform.io/v1alpha1/ipaddresses/handlers.js';
import type { ParentReference } from '../../generated/types/networking/v1alpha1/types.js';
import type { Draft, KindHandlers } from '../../runtime/contract/index.js';
import { canonicalIp, formatIpAddress, ipNumber, parseIpAddress } from '../../runtime/objects/ip-address.js';
import { pathSegment, qualifiedName } from '../../runtime/objects/names/names.js';
import { quote } from '../../runtime/objects/printing.js';
import type { Release } from '../../runtime/objects/release.js';

export const defineIPAddresses = (release: Release): KindHandlers =>
  defineIPAddressHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'field changes'],
    validateName: release.does('canonicalAddressWords') ? laterNameProblems : nameProblems,
    columns: { ParentRef: ({ spec }) => parentText(spec?.parentRef) },
  });

function nameProblems(name: string): readonly string[] {
  const read = parseIpAddress(name);
  if (!read.ok) return [read.problem];
  if (formatIpAddress(read.address) !== name) return ['not a valid ip in canonical format'];
  // A zone is part of a canonical address, but its percent sign must not be in a path.
  return pathSegment(name);
}

/** Returns the same in the words of later releases, which know no zones. */
function laterNameProblems(name: string): readonly string[] {
  if (ipNumber(name) === undefined) return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  const canonical = canonicalIp(name);
  if (canonical === name) return [];
  return [parseIpAddress(name).ok ? `must be in canonical form (${quote(canonical)})` : 'must not have leading 0s'];
}

/** Prints a parent as in `services/default/web` or `gateways.gateway.example.com/edge/gw`. */
function parentText(parent: Draft<ParentReference> | undefined): string {
  if (!parent) return '<none>';
  const { group = '', resource = '', namespace, name = '' } = parent;
  return [qualifiedName(group, resource).toLowerCase(), ...(namespace ? [namespace] : []), name].join('/');
}
