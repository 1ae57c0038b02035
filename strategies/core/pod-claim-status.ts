/** The claims that were made for a pod: from templates, and for extended resources of its containers. */
import type {
  PodExtendedResourceClaimStatus,
  PodResourceClaimStatus,
  PodSpec,
  PodStatus,
} from '../../generated/types/core/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import type { Release } from '../../runtime/objects/release.js';
import { checkName, checkText, type FieldErrors } from '../shared/field-checks.js';
import { claimNamesOf } from './pod-spec/resource-claims.js';

/** Checks the claims that a status names. */
export function* checkClaims(status: Draft<PodStatus>, spec: Draft<PodSpec>, release: Release): FieldErrors {
  const { resourceClaimStatuses: claims = [], extendedResourceClaimStatus: extended } = status;
  yield* checkFromTemplates(claims, 'status.resourceClaimStatuses', spec, release);
  if (extended) yield* checkExtended(extended, 'status.extendedResourceClaimStatus', spec);
}

/** Each claim belongs to one entry of the spec. */
function* checkFromTemplates(
  claims: readonly Draft<PodResourceClaimStatus>[],
  path: string,
  spec: Draft<PodSpec>,
  release: Release,
): FieldErrors {
  const known = claimNamesOf(spec.resourceClaims);
  const seen = new Set<string>();
  const nameField = release.does('claimNamesByPath') ? 'resourceClaimName' : 'name';
  for (const [i, { name = '', resourceClaimName: claim }] of claims.entries()) {
    const at = `${path}[${i}]`;
    if (!known.has(name)) {
      yield invalidValue(`${at}.name`, name, 'must match the name of an entry in `spec.resourceClaims`');
    }
    if (seen.has(name)) yield duplicate(`${at}.name`, name);
    seen.add(name);
    if (claim !== undefined) yield* checkText(`${at}.${nameField}`, claim, dns1123Subdomain);
  }
}

/** Each request of the claim belongs to a resource that a container requests. */
function* checkExtended(
  { requestMappings, resourceClaimName = '' }: Draft<PodExtendedResourceClaimStatus>,
  path: string,
  spec: Draft<PodSpec>,
): FieldErrors {
  const list = `${path}.requestMappings`;
  const mappings = requestMappings ?? [];
  if (mappings.length === 0) yield required(list, 'at least one request mapping is required');
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const seen = new Set<string>();
  for (const [i, { containerName = '', resourceName = '', requestName = '' }] of mappings.entries()) {
    const at = `${list}[${i}]`;
    const container = containers.find(({ name }) => name === containerName);
    if (!container) {
      const problem = 'must match the name of an entry in spec.initContainers.name or spec.containers.name';
      yield invalidValue(`${at}.containerName`, containerName, problem);
    } else if (!Object.hasOwn(container.resources?.requests ?? {}, resourceName)) {
      const places = 'spec.initContainers.resources.requests or spec.containers.resources.requests';
      const problem = `must match the extended resource name of an entry in ${places}`;
      yield invalidValue(`${at}.resourceName`, resourceName, problem);
    }
    // As in the reference, the path leaves out the list.
    yield* checkText(`${path}.requestName`, requestName, dns1123Label);
    const names = Object.entries({ containerName, resourceName, requestName });
    const key = JSON.stringify(names);
    if (seen.has(key)) for (const [field, name] of names) yield duplicate(`${at}.${field}`, name);
    seen.add(key);
  }
  yield* checkName(`${path}.resourceClaimName`, resourceClaimName, dns1123Subdomain);
}
