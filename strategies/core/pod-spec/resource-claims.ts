/** Rules for the claims of devices that the containers of a pod share. */
import type { ClaimSource, PodResourceClaim } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/names/dns-names.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';
import type { ClaimNames } from './resources.js';

/** The names under which containers can ask for claims. */
export const claimNamesOf = (claims: readonly Draft<PodResourceClaim>[] = []): ClaimNames =>
  new Set(claims.map(({ name = '' }) => name));

/** The claims at the path of their list; `podName` is empty for templates. */
export function* checkResourceClaims(
  claims: readonly Draft<PodResourceClaim>[] = [],
  path: string,
  podName: string,
): FieldErrors {
  const seen = new Set<string>();
  for (const [i, { name = '', source = {} }] of claims.entries()) {
    const at = `${path}[${i}]`;
    if (name === '') yield required(`${at}.name`);
    else if (seen.has(name)) yield duplicate(`${at}.name`, name);
    else yield* checkName(name, `${at}.name`, podName, source.resourceClaimTemplateName !== undefined);
    seen.add(name);
    yield* checkSource(source, `${at}.source`);
  }
}

/** A claim that is made from a template is called after the pod. */
function* checkName(name: string, path: string, podName: string, isMade: boolean): FieldErrors {
  const problems = dns1123Label(name);
  for (const problem of problems) yield invalidValue(path, name, problem);
  if (problems.length > 0 || podName === '' || !isMade) return;
  const made = `${podName}-${name}`;
  for (const problem of dns1123Subdomain(made)) yield invalidValue(path, made, `final ResourceClaim name: ${problem}`);
}

const kinds = ['resourceClaimName', 'resourceClaimTemplateName'] as const;

function* checkSource(source: Draft<ClaimSource>, path: string): FieldErrors {
  const found = kinds.filter((kind) => source[kind] !== undefined);
  if (found.length > 1) {
    const problem = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
    yield invalidValue(path, source, problem);
  }
  if (found.length === 0) {
    yield invalidValue(path, source, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
  }
  for (const kind of found) yield* checkText(`${path}.${kind}`, source[kind] ?? '', dns1123Subdomain);
}
