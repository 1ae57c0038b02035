/** Finds the user of an ID token in its claims. */
import type { Authentication, JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isStringArray } from '../../../runtime/objects/guards.js';
import { quote } from '../../../runtime/objects/printing.js';
import { authenticatedUser } from '../users.js';

/** Which claims tell the user. */
export interface ClaimRules {
  /** The claim with the name of the user. */
  readonly usernameClaim: string;
  /** Put before the name. */
  readonly usernamePrefix: string;
  /** The claim with the groups: a list of texts, or one. Absent for no groups. */
  readonly groupsClaim: string | undefined;
  readonly groupsPrefix: string;
  /** Claims that the token must have, with these texts. */
  readonly requiredClaims: Readonly<Record<string, string>>;
}

export function userOfClaims(claims: JsonObject, rules: ClaimRules): Authentication {
  const name = getOwn(claims, rules.usernameClaim);
  if (typeof name !== 'string' || name === '') return refuse(`the claim ${quote(rules.usernameClaim)} has no text`);
  // A provider that says nothing of it vouches for the address.
  const isVerified = getOwn(claims, 'email_verified') ?? true;
  if (rules.usernameClaim === 'email' && isVerified !== true) return refuse('the email address is not verified');
  const groups = groupsOf(claims, rules.groupsClaim);
  if (!groups) return refuse(`the claim ${quote(rules.groupsClaim ?? '')} is neither a text nor a list of texts`);
  for (const [claim, wanted] of Object.entries(rules.requiredClaims)) {
    if (getOwn(claims, claim) !== wanted) return refuse(`the claim ${quote(claim)} is not as required`);
  }
  const named = groups.map((group) => rules.groupsPrefix + group);
  return { user: authenticatedUser(rules.usernamePrefix + name, '', named) };
}

function groupsOf(claims: JsonObject, claim: string | undefined): readonly string[] | undefined {
  const groups = claim === undefined ? undefined : getOwn(claims, claim);
  if (groups === undefined) return [];
  if (typeof groups === 'string') return [groups];
  return isStringArray(groups) ? groups : undefined;
}

const refuse = (why: string): Authentication => ({ refused: `oidc: ${why}` });
