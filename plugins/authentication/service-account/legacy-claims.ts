/** Reads and checks the claims of tokens that secrets hold: they have no end and no audiences, and go with their secret. */
import { timingSafeEqual } from 'node:crypto';
import type { AuthenticationContext, JsonObject } from '../../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { type AccountClaims, type NamedObject, objectProblem } from './claims.js';

/** The account of such a token, and the name of the secret. */
export interface LegacyClaims extends AccountClaims {
  readonly secretName: string;
}

/** Nothing where a claim is missing, or they do not fit the subject. */
export function readLegacyClaims(claims: JsonObject, names: Naming): LegacyClaims | undefined {
  const said = (name: string): string => stringAt(claims, `${names.wellKnown.tokenClaim}/serviceaccount/${name}`);
  const [namespace, secretName] = [said('namespace'), said('secret.name')];
  const account: NamedObject = { name: said('service-account.name'), uid: said('service-account.uid') };
  if (namespace === '' || secretName === '' || account.name === '' || account.uid === '') return undefined;
  if (stringAt(claims, 'sub') !== `system:serviceaccount:${namespace}:${account.name}`) return undefined;
  return { namespace, account, secretName };
}

/** Returns why a token no longer counts: its secret is gone or holds another one, or its account is gone. */
export function legacyProblem(
  claims: LegacyClaims,
  token: string,
  context: AuthenticationContext,
  now: number,
): string | undefined {
  const { namespace, secretName: name } = claims;
  const secret = context.get({ group: '', resource: 'secrets', namespace, name });
  if (!secret || secret.metadata.deletionTimestamp !== undefined) return 'Token has been invalidated';
  const held = Buffer.from(stringAt(objectAt(secret, 'data'), 'token'), 'base64');
  const sent = Buffer.from(token);
  if (held.length !== sent.length || !timingSafeEqual(held, sent)) return "Token does not match server's copy";
  return objectProblem(claims, context, now);
}
