/**
 * The record of a person with access: a secret of the system namespace. It holds the hash of a credential, so that its
 * readers cannot use the credential.
 */
import { createHash } from 'node:crypto';
import type { JsonObject } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';

/** The type of the secrets. It is the same under both namings, because Kubernetes does not know it. */
export const userSecretType = 'kindforge.dev/user';

/** The prefix of the secrets' names. `secretNameOf` appends the user's name. */
export const userSecretPrefix = 'kindforge-user';

export type CredentialKind = 'certificate' | 'token';

export interface UserRecord {
  readonly name: string;
  /** The groups of a token's user. A certificate has groups of its own, which are the same. */
  readonly groups: readonly string[];
  readonly credential: CredentialKind;
  /** The hash of the credential, as `credentialId` makes it; empty if the user never had one. */
  readonly id: string;
  /** RFC 3339; empty if the user never had a credential. */
  readonly created: string;
  /** RFC 3339; empty if the user never had a credential. */
  readonly expires: string;
  /** RFC 3339. Absent while the user has access. */
  readonly revoked?: string;
  /** Whether the user was revoked before, so that no certificate but the recorded one counts. */
  readonly onlyThis: boolean;
}

/** Returns the hash of a token's text, or of a certificate in DER: SHA-256 in hexadecimal digits. */
export const credentialId = (credential: string | Uint8Array): string =>
  createHash('sha256').update(credential).digest('hex');

/** The prefix of tokens, so that no other token is looked up. */
const tokenPrefix = 'kfu_';

export const isUserToken = (token: string): boolean => token.startsWith(tokenPrefix);

/** Returns a token of some random bytes. */
export const userTokenOf = (random: Uint8Array): string => `${tokenPrefix}${Buffer.from(random).toString('base64url')}`;

const nameForm = /^[A-Za-z0-9]+([-._@+][A-Za-z0-9]+)*$/;

/** The longest name, in characters: the common name of a certificate has no room for more (RFC 5280, appendix A.1). */
const longestName = 64;

/** Returns why a text cannot be the name of a user with a record, or `undefined` if it can. */
export function userNameProblem(name: string): string | undefined {
  if (name.startsWith('system:')) return 'names that begin with system: belong to the server';
  if (name.length > longestName) return `must have at most ${longestName} characters`;
  return nameForm.test(name)
    ? undefined
    : 'must be letters and digits, with single -, ., _, @ or + between them, as in jane or jane@example.com';
}

/** Returns why a text cannot be a group of such a user, or `undefined` if it can. */
export function userGroupProblem(group: string): string | undefined {
  if (group.startsWith('system:')) return 'groups that begin with system: belong to the server; give a role instead';
  return /^[^\s,"\p{Cc}]{1,64}$/u.test(group)
    ? undefined
    : 'must be 1 to 64 characters without spaces, commas and quotes, as in dev or shop:admins';
}

/**
 * Returns the name of the secret with the record of a user. Each user has a name of its own: all characters but a-z, 0-9
 * and `-` are written as `.` and two hexadecimal digits.
 */
export const secretNameOf = (user: string): string =>
  userSecretPrefix +
  (/^[a-z0-9]/.test(user) ? '-' : '') +
  user.replace(/[^a-z0-9-]|-(?![a-z0-9])/g, (one) => `.${one.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Reads the record in a secret, or returns `undefined` if it holds none. */
export function readUserRecord(secret: JsonObject): UserRecord | undefined {
  const data = objectAt(secret, 'data');
  const value = (key: string): string => Buffer.from(stringAt(data, key), 'base64').toString();
  const [name, credential, groups, revoked] = ['name', 'credential', 'groups', 'revoked'].map(value);
  if (stringAt(secret, 'type') !== userSecretType || name === undefined || userNameProblem(name) !== undefined)
    return undefined;
  if (stringAt(objectAt(secret, 'metadata'), 'name') !== secretNameOf(name)) return undefined;
  return {
    name,
    groups: groups ? groups.split(',') : [],
    credential: credential === 'token' ? 'token' : 'certificate',
    id: value('id'),
    created: value('created'),
    expires: value('expires'),
    ...(revoked ? { revoked } : {}),
    onlyThis: value('only-this') === 'true',
  };
}

/** Returns the data of the secret with a record, in base64. */
export function userRecordData({ groups, onlyThis, ...record }: UserRecord): Record<string, string> {
  const texts = { ...record, groups: groups.join(','), ...(onlyThis ? { 'only-this': 'true' } : {}) };
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
}
