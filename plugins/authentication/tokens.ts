/**
 * Recognizes users by secrets that the server knows: tokens of a file, bootstrap tokens, and tokens that it made for its
 * administrator and for itself. Refuses unknown tokens.
 */
import { createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiObject, Authentication, Authenticator, Credentials, UserInfo } from '../../runtime/contract/index.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { timeMillis } from '../../runtime/objects/scan/time.js';
import { anonymousUser, authenticatedUser } from './user-info.js';

/** An authenticator and warnings about its file, or why the file cannot be used. */
export type TokenFileResult =
  | { readonly ok: true; readonly authenticator: Authenticator; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly problem: string };

/**
 * Creates an authenticator from the text of a token file. A line is `token,user,uid,"group1,group2"`; the groups are
 * optional.
 */
export function defineTokenFile(text: string): TokenFileResult {
  const users = new Map<string, UserInfo>();
  const warnings: string[] = [];
  for (const { line, fields } of parseCsv(text)) {
    const [token = '', name = '', uid = '', groups = ''] = fields;
    if (fields.length < 3) {
      return {
        ok: false,
        problem: `line ${line}: a token needs three columns (token, user, uid), found ${fields.length}`,
      };
    }
    if (token === '') warnings.push(`line ${line}: the token is empty; this line is not used`);
    else {
      if (users.has(token)) warnings.push(`line ${line}: an earlier line has the same token; this line is used`);
      users.set(token, authenticatedUser(name, uid, groups === '' ? [] : groups.split(',')));
    }
  }
  const authenticator: Authenticator = {
    name: 'token-file',
    authenticate(credentials) {
      const token = bearerToken(credentials);
      if (token === undefined) return undefined;
      const user = users.get(token);
      return user ? { user } : { refused: 'the token is not in the token file' };
    },
  };
  return { ok: true, authenticator, warnings };
}

// Reads comma-separated values (RFC 4180): quoted fields may hold commas, line breaks and doubled quotes.

/** A line with content, numbered from 1. */
interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Returns the records of a text, without blanks around unquoted fields. Takes linear time. */
export function parseCsv(text: string): readonly CsvRecord[] {
  const records: CsvRecord[] = [];
  const field = /[ \t]*(?:"((?:[^"]|"")*)"[ \t]*|([^,\n]*))(,|\r?\n|$)/y;
  let fields: string[] = [];
  let line = 1;
  let firstLine = 1;
  while (field.lastIndex < text.length) {
    const match = field.exec(text);
    if (!match) break;
    const [whole, quoted, plain = '', separator] = match;
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
    line += whole.split('\n').length - 1;
    if (separator === ',') {
      if (field.lastIndex < text.length) continue;
      fields.push('');
    }
    if (fields.length > 1 || fields[0] !== '') records.push({ line: firstLine, fields });
    fields = [];
    firstLine = line;
  }
  return records;
}

// Bootstrap tokens: short-lived secrets that let new machines join.

const form = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;

/** The group of all users with such a token. Names of further groups begin with it. */
const bootstrappers = 'system:bootstrappers';
const furtherGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/** Creates the authenticator. `clock` returns milliseconds since 1970. */
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

/** Returns the user of a token, by the secret that holds it. Values of secrets are in base64. */
function recognize(held: ApiObject, token: Token, names: Naming, now: number): Authentication {
  const data = objectAt(held, 'data');
  const value = (key: string): string => Buffer.from(stringAt(data, key), 'base64').toString();
  const isToken = stringAt(held, 'type') === names.secretTypes.bootstrapToken && !held.metadata.deletionTimestamp;
  if (!isToken || value('token-id') !== token.id || !isSame(value('token-secret'), token.secret))
    return { refused: 'unknown bootstrap token' };
  if (isOver(value('expiration'), now)) return { refused: 'the bootstrap token has expired' };
  if (value('usage-bootstrap-authentication') !== 'true')
    return { refused: 'the bootstrap token is not for authentication' };
  const further = value('auth-extra-groups');
  const groups = further === '' ? [] : further.split(',');
  if (!groups.every((group) => furtherGroup.test(group)))
    return { refused: `groups of bootstrap tokens must begin with ${bootstrappers}:` };
  const all = [...new Set([bootstrappers, ...groups])].sort();
  return { user: authenticatedUser(`system:bootstrap:${token.id}`, '', all) };
}

/**
 * Returns whether a token has expired. A token without an expiration never expires; a token with an invalid one (RFC
 * 3339) has expired.
 */
function isOver(expiration: string, now: number): boolean {
  const end = expiration === '' ? Number.POSITIVE_INFINITY : timeMillis(expiration);
  return end === undefined || now >= end;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

// A wrong token must never pass as no token.

/** Creates an authenticator that refuses all bearer tokens. It must come last. */
export function defineUnknownTokens(): Authenticator {
  return {
    name: 'unknown-token',
    authenticate: (credentials) => (bearerToken(credentials) === undefined ? undefined : { refused: 'unknown token' }),
  };
}

export interface Administrator {
  /** 64 hexadecimal digits. */
  readonly token: string;
  /** Accepts the token as a bearer token, or as the password of `admin` (RFC 7617). */
  readonly authenticator: Authenticator;
}

/** The user name for basic authentication. */
export const administratorName = 'admin';

export const administratorUser: UserInfo = authenticatedUser('system:admin', '', ['system:masters']);

/**
 * Derives the administrator's token from a secret of the data: it is the same after each restart, and on all servers
 * over the same data. Without a secret it is random.
 */
export function defineAdministrator(secret: Uint8Array = randomBytes(32)): Administrator {
  const token = Buffer.from(hkdfSync('sha256', secret, '', 'token of the administrator', 32)).toString('hex');
  const password = Buffer.from(`${administratorName}:${token}`).toString('base64');
  const expected = [digest(`bearer ${token}`), digest(`basic ${password}`)];
  const isOurs = (header: string): boolean => {
    const [scheme = '', credentials = ''] = header.trim().split(' ', 2);
    const sent = digest(`${scheme.toLowerCase()} ${credentials}`);
    return expected.some((one) => timingSafeEqual(one, sent));
  };
  return {
    token,
    authenticator: {
      name: 'administrator',
      authenticate: ({ headers: { authorization } }) =>
        typeof authorization === 'string' && isOurs(authorization) ? { user: administratorUser } : undefined,
    },
  };
}

/** Hashes a text, so that comparing takes the same time for every text. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Random tokens that end with the process. */
export interface Loopback {
  readonly authenticator: Authenticator;
  /** Returns the value of an `authorization` header for requests of a user, by default of the server itself. */
  credentialsFor(user?: UserInfo): string;
}

export const itself: UserInfo = authenticatedUser('system:apiserver', '', ['system:masters']);

export function defineLoopback(): Loopback {
  // A lookup by hash does not reveal how much of a guess is right.
  const users = new Map<string, UserInfo>();
  const headers = new Map<string, string>();
  return {
    authenticator: {
      name: 'loopback',
      authenticate({ headers: { authorization } }) {
        const user = typeof authorization === 'string' ? users.get(authorization) : undefined;
        return user && { user };
      },
    },
    credentialsFor(user = itself) {
      const id = JSON.stringify(user);
      const header = headers.get(id) ?? `Bearer ${randomBytes(32).toString('hex')}`;
      headers.set(id, header);
      users.set(header, user);
      return header;
    },
  };
}

/** Accepts requests without credentials as the anonymous user. It must come last. */
export function defineAnonymous(): Authenticator {
  return {
    name: 'anonymous',
    // An unknown token is a mistake that the client must see, not the same as no token.
    authenticate: (credentials) =>
      bearerToken(credentials) === undefined ? { user: anonymousUser } : { refused: 'the bearer token is not known' },
  };
}

/**
 * Returns the bearer token (RFC 6750 section 2.1) of the `Authorization` header, or `undefined` if there is none. The
 * scheme ignores case, one blank follows it, and anything after the token is ignored.
 */
export function bearerToken({ headers }: Credentials): string | undefined {
  const header = headers.authorization;
  if (header === undefined) return undefined;
  const value = (typeof header === 'string' ? header : header[0])?.trim() ?? '';
  const [scheme = '', token = ''] = value.split(' ', 2);
  return scheme.toLowerCase() === 'bearer' && token !== '' ? token : undefined;
}
