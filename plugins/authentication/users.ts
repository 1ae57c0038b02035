/** Recognizes the people of `kindforge user` by their tokens, and refuses whoever is revoked. */
import type { Authenticator, Follow, FollowedPart, Refused } from '../../runtime/contract/index.js';
import { isObject } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { timeMillis } from '../../runtime/objects/scan/time.js';
import { bearerToken } from './tokens.js';
import { authenticatedUser } from './user-info.js';
import {
  credentialId,
  isUserToken,
  readUserRecord,
  type UserRecord,
  userGroupProblem,
  userSecretPrefix,
} from './user-record.js';

export interface UsersOptions {
  /** Follows the store that the records are in. */
  readonly follow: Follow;
  readonly names: Naming;
  /** Returns milliseconds since 1970. Default: the system's clock. */
  readonly clock?: () => number;
  /** Receives why a credential of a known user is refused. */
  readonly onRefused?: (reason: string) => void;
}

/** A certificate that an authority of the server has issued. */
export interface UserCertificate {
  readonly user: string;
  /** As `credentialId` makes it. */
  readonly id: string;
  /** The end of its life, milliseconds since 1970. */
  readonly until: number;
}

/** Decides which verified certificates count. */
export interface Revocation {
  /**
   * Returns why a certificate does not count, or `undefined` if it does. Runs for every request, and costs one look-up.
   */
  readonly refusalOf: (certificate: UserCertificate) => Refused | undefined;
  /** Calls `end` once a certificate no longer counts; returns a function that ends this. */
  readonly onRevoked: (certificate: UserCertificate, end: () => void) => () => void;
}

export interface Users extends Revocation {
  /** Recognizes tokens of users. */
  readonly authenticator: Authenticator;
}

/** Follows the records of users. All servers over the same data follow the same records. */
export function defineUsers({ follow, names, clock = Date.now, onRefused = () => undefined }: UsersOptions): Users {
  const records = new Records();
  follow('users', {
    parts: [records.part(`/secrets/${names.namespaces.system}/`)],
    reset: () => records.clear(),
    complete: () => records.changed(),
  });
  const refuse = (problem: string, cure: string): Refused => {
    onRefused(problem);
    const told = `${problem}; ${cure}`;
    return { refused: problem, publicReason: told, clientReason: told };
  };
  const outdated = ({ user, until }: UserCertificate): Refused =>
    refuse(`the certificate of user ${quote(user)} expired at ${new Date(until).toISOString()}`, cureFor(user));
  return {
    refusalOf(certificate) {
      const record = records.byName.get(certificate.user);
      if (!record) return undefined;
      if (!counts(record, certificate)) return refuse(revokedText(record), cureFor(record.name));
      return clock() > certificate.until ? outdated(certificate) : undefined;
    },
    onRevoked: (certificate, end) =>
      records.watch(certificate.user, (record) => record === undefined || counts(record, certificate), end),
    authenticator: {
      name: 'users',
      authenticate(credentials) {
        const token = bearerToken(credentials);
        if (token === undefined || !isUserToken(token)) return undefined;
        const id = credentialId(token);
        const record = records.byToken.get(id);
        if (!record) return { refused: 'the token belongs to no user, or was replaced' };
        const { name, groups, expires } = record;
        if (record.revoked !== undefined) return refuse(revokedText(record), cureFor(name));
        if (!(clock() <= (timeMillis(expires) ?? 0)))
          return refuse(`the token of user ${quote(name)} expired at ${expires}`, cureFor(name));
        if (groups.some((group) => userGroupProblem(group) !== undefined))
          return { refused: `the record of user ${quote(name)} has groups that users cannot have` };
        return {
          user: authenticatedUser(name, '', groups),
          onEnd: (end) => records.watch(name, (now) => now?.id === id && now.revoked === undefined, end),
        };
      },
    },
  };
}

/**
 * Returns whether a certificate counts: its user has access, and it is the recorded certificate if no other one counts.
 */
const counts = ({ revoked, onlyThis, credential, id }: UserRecord, certificate: UserCertificate): boolean =>
  revoked === undefined && (!onlyThis || (credential === 'certificate' && id === certificate.id));

const revokedText = ({ name, revoked }: UserRecord): string =>
  revoked === undefined
    ? `this certificate of user ${quote(name)} was revoked; there is a newer one`
    : `the credentials of user ${quote(name)} were revoked at ${revoked}`;

const cureFor = (name: string): string => `ask an administrator for new ones: kindforge user create ${name}`;

/** Returns whether credentials still count under the current record of their user, if there is one. */
type StillCounts = (record: UserRecord | undefined) => boolean;

interface Waiting {
  readonly stillCounts: StillCounts;
  readonly end: () => void;
}

/**
 * The records in memory, by name and by the hash of their token, and the running requests that end with a credential.
 */
class Records {
  readonly byName = new Map<string, UserRecord>();
  readonly byToken = new Map<string, UserRecord>();
  readonly #byKey = new Map<string, UserRecord>();
  readonly #waiting = new Map<string, Set<Waiting>>();
  /** Whether all records are loaded; until then no request ends. */
  #isComplete = false;

  part(prefix: string): FollowedPart {
    return {
      prefix,
      put: ({ key, bytes }) => {
        // The namespace has other secrets, too.
        if (!key.startsWith(prefix + userSecretPrefix)) return;
        const before = this.#forget(key);
        const object: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
        const record = isObject(object) ? readUserRecord(object) : undefined;
        if (record) this.#keep(key, record);
        this.#endThoseOf(record?.name ?? before?.name);
      },
      remove: (key) => this.#endThoseOf(this.#forget(key)?.name),
    };
  }

  clear(): void {
    this.#isComplete = false;
    for (const map of [this.byName, this.byToken, this.#byKey]) map.clear();
  }

  /** Ends requests with credentials that no longer count, once all records are loaded. */
  changed(): void {
    this.#isComplete = true;
    for (const name of this.#waiting.keys()) this.#endThoseOf(name);
  }

  /** Calls `end` once credentials of a user no longer count. */
  watch(name: string, stillCounts: StillCounts, end: () => void): () => void {
    const waiting: Waiting = { stillCounts, end };
    const all = this.#waiting.get(name) ?? new Set();
    this.#waiting.set(name, all.add(waiting));
    // They may have been revoked since the request began.
    if (this.#isComplete && !stillCounts(this.byName.get(name))) queueMicrotask(end);
    return () => {
      all.delete(waiting);
      if (all.size === 0 && this.#waiting.get(name) === all) this.#waiting.delete(name);
    };
  }

  #keep(key: string, record: UserRecord): void {
    this.#byKey.set(key, record);
    this.byName.set(record.name, record);
    if (record.credential === 'token' && record.id !== '') this.byToken.set(record.id, record);
  }

  #forget(key: string): UserRecord | undefined {
    const record = this.#byKey.get(key);
    if (!record) return undefined;
    this.#byKey.delete(key);
    this.byName.delete(record.name);
    this.byToken.delete(record.id);
    return record;
  }

  #endThoseOf(name: string | undefined): void {
    if (name === undefined || !this.#isComplete) return;
    const record = this.byName.get(name);
    for (const { stillCounts, end } of [...(this.#waiting.get(name) ?? [])]) if (!stillCounts(record)) end();
  }
}
