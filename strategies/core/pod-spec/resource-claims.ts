/** The claims of a pod: devices and other resources that are set aside for it. */
import type { PodResourceClaim } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { duplicate, forbidden, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/names/name-checks.js';
import type { Release } from '../../../runtime/objects/release.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';
import type { ClaimNames } from './resources.js';

/** Returns the names by which containers refer to claims. */
export const claimNamesOf = (claims: readonly Draft<PodResourceClaim>[] = []): ClaimNames =>
  new Set(claims.map(({ name = '' }) => name));

/** The facts that checks need besides the claims. */
interface ClaimContext {
  /** The name of the pod; empty in templates, because their pods have no names yet. */
  readonly podName: string;
  /** Whether the pod is the mirror of a static one. */
  readonly isMirror: boolean;
  readonly release: Release;
}

/** Checks the claims. In later releases, they have no `source`, so errors name the claim itself. */
export function* checkResourceClaims(
  claims: readonly Draft<PodResourceClaim>[] = [],
  path: string,
  { podName, isMirror, release }: ClaimContext,
): FieldErrors {
  const byName = release.does('claimsByName');
  const seen = new Set<string>();
  for (const [i, claim] of claims.entries()) {
    const { name = '', source = {} } = claim;
    const at = `${path}[${i}]`;
    if (byName && isMirror) {
      yield forbidden('', 'static pods do not support resource claims');
      continue;
    }
    if (name === '') yield required(`${at}.name`);
    else if (seen.has(name)) yield duplicate(`${at}.name`, name);
    else yield* checkName(name, `${at}.name`, byName || !source.resourceClaimTemplateName ? '' : podName);
    seen.add(name);
    if (byName) yield* checkSource(claim, at);
    else yield* checkSource(source, `${at}.source`);
  }
}

/** A claim made from a template is named after the pod, if its name is given. */
function* checkName(name: string, path: string, podName: string): FieldErrors {
  const problems = dns1123Label(name);
  for (const problem of problems) yield invalidValue(path, name, problem);
  if (problems.length > 0 || podName === '') return;
  const made = `${podName}-${name}`;
  for (const problem of dns1123Subdomain(made)) yield invalidValue(path, made, `final ResourceClaim name: ${problem}`);
}

const kinds = ['resourceClaimName', 'resourceClaimTemplateName'] as const;

function* checkSource(source: Pick<Draft<PodResourceClaim>, (typeof kinds)[number]>, path: string): FieldErrors {
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
