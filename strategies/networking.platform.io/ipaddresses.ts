/** IPAddress: its name is an address in canonical form. */
import { defineIPAddressHandlers } from '../../generated/networking.platform.io/v1alpha1/ipaddresses/handlers.js';
import type { ParentReference } from '../../generated/types/networking/v1alpha1/types.js';
import type { Draft, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { invalidValue } from '../../runtime/objects/field-error.js';
import { canonicalIp, formatIpAddress, parseIpAddress } from '../../runtime/objects/ip-address.js';
import { pathSegment, qualifiedName } from '../../runtime/objects/names/names.js';
import { quote } from '../../runtime/objects/printing.js';
import type { Release } from '../../runtime/objects/release.js';
import { strictAddress } from '../shared/addresses.js';
import { printedTexts } from '../shared/printed-values.js';

export const defineIPAddresses = (release: Release): KindHandlers =>
  defineIPAddressHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'field changes'],
    validateName: release.does('canonicalAddressWords') ? laterNameProblems : nameProblems,
    validateUpdate: ({ spec }, old) => parentErrors(spec?.parentRef, old.spec?.parentRef, release),
    columns: { ParentRef: ({ spec }) => parentText(spec?.parentRef) },
  });

function nameProblems(name: string): readonly string[] {
  const read = parseIpAddress(name);
  if (!read.ok) return [read.problem];
  if (formatIpAddress(read.address) !== name) return ['not a valid ip in canonical format'];
  // A zone is part of a canonical address, but its percent sign must not be in a path.
  return pathSegment(name);
}

/** Returns the problems of a name in the words of later releases, which do not know zones. */
function laterNameProblems(name: string): readonly string[] {
  const problems = strictAddress(name);
  const canonical = canonicalIp(name);
  return problems.length > 0 || canonical === name ? problems : [`must be in canonical form (${quote(canonical)})`];
}

/** The parent cannot be changed. */
function parentErrors(
  parent: Draft<ParentReference> | undefined,
  old: Draft<ParentReference> | undefined,
  release: Release,
): readonly FieldError[] {
  if (equal(parent ?? null, old ?? null)) return [];
  const { group, resource, namespace, name, uid } = parent ?? {};
  const texts = { Group: group, Resource: resource, Namespace: namespace, Name: name };
  const withUid = release.has({ removed: '1.28' }) ? { ...texts, UID: uid } : texts;
  const printed = parent && printedTexts('networking.ParentReference', withUid);
  return [invalidValue('spec.parentRef', printed, 'field is immutable')];
}

/** Prints a parent as in `services/default/web` or `gateways.gateway.example.com/edge/gw`. */
function parentText(parent: Draft<ParentReference> | undefined): string {
  if (!parent) return '<none>';
  const { group = '', resource = '', namespace, name = '' } = parent;
  return [qualifiedName(group, resource).toLowerCase(), ...(namespace ? [namespace] : []), name].join('/');
}
