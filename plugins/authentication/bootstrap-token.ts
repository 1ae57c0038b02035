/** Recognizes bootstrap tokens: short-lived secrets by which machines that nobody knows yet ask to be let in. */
import { timingSafeEqual } from 'node:crypto';
import type { ApiObject, Authentication, Authenticator } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { timeMillis } from '../../runtime/objects/time.js';
import { bearerToken } from './bearer.js';
import { authenticatedUser } from './users.js';

const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/** The group of all who come with such a token; what further groups are called begins with it. */
const bootstrappers = 'system:bootstrappers';
const furtherGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** `clock` tells milliseconds since the epoch; the system's where absent. */
export function defineBootstrapTokens(names: Naming, clock: () => number = Date.now): Authenticator {
  return {
    name: 'bootstrap-token',
    authenticate(credentials, context) {
      const [, id = '', secret = ''] = form.exec(bearerToken(credentials) ?? '') ?? [];
      if (id === '' || !context) return undefined;
      const place = { group: '', resource: 'secrets', namespace: names.namespaces.system };
      const found = context.get({ ...place, name: `bootstrap-token-${id}` });
      return found ? recognize(found, { id, secret }, names, clock()) : undefined;
    },
  };
}

interface Token {
  readonly id: string;
  readonly secret: string;
}

/** Finds the user of a token in the secret that holds it. Values of secrets are in base64. */
function recognize(held: ApiObject, token: Token, names: Naming, now: number): Authentication {
  const data = objectAt(held, 'data');
  const value = (key: string): string => Buffer.from(stringAt(data, key), 'base64').toString();
  const isToken = stringAt(held, 'type') === names.secretTypes.bootstrapToken && !held.metadata.deletionTimestamp;
  if (!isToken || value('token-id') !== token.id || !isSame(value('token-secret'), token.secret))
    return { refused: 'there is no such bootstrap token' };
  if (isOver(value('expiration'), now)) return { refused: 'the bootstrap token has expired' };
  if (value('usage-bootstrap-authentication') !== 'true')
    return { refused: 'the bootstrap token is not for authentication' };
  const further = value('auth-extra-groups');
  const groups = further === '' ? [] : further.split(',');
  if (!groups.every((group) => furtherGroup.test(group)))
    return { refused: `groups of bootstrap tokens begin with ${bootstrappers}:` };
  const all = [...new Set([bootstrappers, ...groups])].sort();
  return { user: authenticatedUser(`system:bootstrap:${token.id}`, '', all) };
}

/** A token without an end does not expire; one whose end is no time (RFC 3339) has. */
function isOver(expiration: string, now: number): boolean {
  const end = expiration === '' ? Number.POSITIVE_INFINITY : timeMillis(expiration);
  return end === undefined || now >= end;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
