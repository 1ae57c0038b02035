import { X509Certificate } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  credentialId,
  defineClientCertificates,
  defineUsers,
  secretNameOf,
  type UserRecord,
  type Users,
  userRecordData,
  userSecretType,
  userTokenOf,
} from '../../../../plugins/index.js';
import type { FollowSink } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { testAuthenticator } from '../../../support/authenticator-suite.js';
import { makeAuthority } from '../../../support/certificate-authority.js';

const token = userTokenOf(Buffer.alloc(32, 7));
const prefix = '/secrets/platform-system/';
const now = Date.parse('2026-06-01');

const bob: UserRecord = {
  name: 'bob',
  groups: ['dev'],
  credential: 'token',
  id: credentialId(token),
  created: '2026-01-01T00:00:00Z',
  expires: '2027-01-01T00:00:00Z',
  onlyThis: false,
};
const revokedAt = '2026-05-01T00:00:00.000Z';

/** Returns users, and functions that store and remove their records. */
function usersOf(...records: readonly UserRecord[]) {
  const told: string[] = [];
  const sinks: FollowSink[] = [];
  const users = defineUsers({
    names: platformNaming,
    clock: () => now,
    onRefused: (reason) => void told.push(reason),
    follow: (_name, sink) => {
      sinks.push(sink);
      return { isStale: false, stop: () => undefined };
    },
  });
  const [part] = sinks[0]?.parts ?? [];
  const put = (record: UserRecord, type = userSecretType): void => {
    const name = secretNameOf(record.name);
    const bytes = Buffer.from(JSON.stringify({ type, metadata: { name }, data: userRecordData(record) }));
    part?.put({ key: prefix + name, bytes, revision: 1, attributes: { labels: {}, fields: {} } });
  };
  sinks[0]?.reset();
  for (const record of records) put(record);
  sinks[0]?.complete?.();
  const remove = (name: string): void => part?.remove(prefix + secretNameOf(name));
  return { users, told, put, remove, part };
}

const bearing = (text: string) => ({ headers: { authorization: `Bearer ${text}` } });

testAuthenticator({
  authenticator: usersOf(bob).users.authenticator,
  recognized: bearing(token),
  name: 'bob',
  wrong: bearing(userTokenOf(Buffer.alloc(32, 8))),
  foreign: bearing('another-token'),
});

describe('a token', () => {
  const answer = ({ users }: { users: Users }) => users.authenticator.authenticate(bearing(token));

  it('has the groups of its record', () =>
    expect(answer(usersOf(bob))).toMatchObject({ user: { name: 'bob', groups: ['dev', 'system:authenticated'] } }));

  it('is refused once its user is revoked, with the cure', () => {
    const some = usersOf({ ...bob, revoked: revokedAt, onlyThis: true });
    const problem = `the credentials of user "bob" were revoked at ${revokedAt}`;
    expect(answer(some)).toEqual({
      refused: problem,
      publicReason: `${problem}; ask an administrator for new ones: kindforge user create bob`,
      clientReason: `${problem}; ask an administrator for new ones: kindforge user create bob`,
    });
    expect(some.told).toEqual([problem]);
  });

  it('is refused once it has expired', () =>
    expect(answer(usersOf({ ...bob, expires: '2026-05-31T23:59:59Z' }))).toMatchObject({
      refused: 'the token of user "bob" expired at 2026-05-31T23:59:59Z',
    }));

  it('is refused if its record cannot say when it expires', () =>
    expect(answer(usersOf({ ...bob, expires: 'soon' }))).toHaveProperty('refused'));

  it('is refused if its record has a system group, so that writers of secrets cannot become administrators', () =>
    expect(answer(usersOf({ ...bob, groups: ['system:masters'] }))).toEqual({
      refused: 'the record of user "bob" has groups that users cannot have',
    }));

  it('is refused once another one has replaced it, or its record is gone', () => {
    const some = usersOf(bob);
    some.put({ ...bob, id: 'another' });
    expect(answer(some)).toHaveProperty('refused');
    some.put(bob);
    expect(answer(some)).toHaveProperty('user');
    some.remove('bob');
    expect(answer(some)).toHaveProperty('refused');
  });

  it('is refused for a secret of another type', () => {
    const some = usersOf();
    some.put(bob, 'Opaque');
    expect(answer(some)).toHaveProperty('refused');
  });

  it('ends open answers when its user is revoked, and no others', () => {
    const some = usersOf(bob, { ...bob, name: 'eve', id: 'other' });
    const found = answer(some);
    let ended = 0;
    if (!found || found instanceof Promise || !('user' in found)) throw new Error('not recognized');
    const forget = found.onEnd?.(() => ended++);
    some.put({ ...bob, name: 'eve', id: 'other', revoked: revokedAt });
    some.put(bob);
    expect(ended).toBe(0);
    some.put({ ...bob, revoked: revokedAt });
    expect(ended).toBe(1);
    forget?.();
    some.put({ ...bob, revoked: revokedAt, groups: [] });
    expect(ended).toBe(1);
  });
});

describe('a certificate', async () => {
  const authority = await makeAuthority('CN=authority');
  const issue = (until = '2027-01-01') =>
    authority.issue({ subject: 'CN=bob, O=dev', from: new Date('2026-01-01'), until: new Date(until) });
  const [first, second, old] = [await issue(), await issue(), await issue('2026-05-01')];
  const der = (pem: string): Buffer => new X509Certificate(pem).raw;
  const authorities = [new X509Certificate(authority.cert)];
  let some: ReturnType<typeof usersOf>;
  beforeEach(() => {
    some = usersOf();
  });
  const answer = (pem: string, problem?: string) => {
    const { authenticate } = defineClientCertificates(
      () => authorities,
      () => now,
      some.users,
    );
    return authenticate({
      headers: {},
      clientCertificate: { chain: [der(pem)], ...(problem === undefined ? {} : { problem }) },
    });
  };
  const recordOf = (pem: string): UserRecord => ({ ...bob, credential: 'certificate', id: credentialId(der(pem)) });

  it('counts without a record, and beside the recorded one', () => {
    expect(answer(first.cert)).toHaveProperty('user');
    some.put(recordOf(first.cert));
    expect(answer(first.cert)).toHaveProperty('user');
    expect(answer(second.cert)).toHaveProperty('user');
  });

  it('no longer counts once its user is revoked, even on its open connection', () => {
    const { authenticate } = defineClientCertificates(
      () => authorities,
      () => now,
      some.users,
    );
    const credentials = { headers: {}, clientCertificate: { chain: [der(first.cert)] } };
    expect(authenticate(credentials)).toHaveProperty('user');
    some.put({ ...recordOf(first.cert), revoked: revokedAt, onlyThis: true });
    expect(authenticate(credentials)).toMatchObject({
      clientReason: `the credentials of user "bob" were revoked at ${revokedAt}; ask an administrator for new ones: kindforge user create bob`,
    });
  });

  it('is the only one that counts after its user was revoked and created again', () => {
    some.put({ ...recordOf(second.cert), onlyThis: true });
    expect(answer(second.cert)).toHaveProperty('user');
    expect(answer(first.cert)).toMatchObject({
      refused: 'this certificate of user "bob" was revoked; there is a newer one',
    });
    some.put({ ...bob, onlyThis: true });
    expect(answer(second.cert)).toHaveProperty('refused');
  });

  it('that has expired is named to a user with a record, and to nobody else', () => {
    for (const problem of ['CERT_HAS_EXPIRED', undefined]) {
      expect(answer(old.cert, problem)).not.toHaveProperty('clientReason');
      some.put(recordOf(old.cert));
      expect(answer(old.cert, problem)).toMatchObject({
        refused: 'the certificate of user "bob" expired at 2026-05-01T00:00:00.000Z',
        clientReason: expect.stringContaining('kindforge user create bob'),
      });
      some.remove('bob');
    }
  });

  it('of another authority reveals nothing, although it names the user', async () => {
    const other = await makeAuthority('CN=authority');
    const forged = await other.issue({
      subject: 'CN=bob',
      from: new Date('2026-01-01'),
      until: new Date('2026-05-01'),
    });
    some.put({ ...bob, revoked: revokedAt });
    expect(answer(forged.cert)).not.toHaveProperty('clientReason');
    expect(answer(forged.cert, 'CERT_HAS_EXPIRED')).not.toHaveProperty('clientReason');
  });

  it('ends open answers when its user is revoked', () => {
    some.put(recordOf(first.cert));
    const found = answer(first.cert);
    if (!found || found instanceof Promise || !('user' in found)) throw new Error('not recognized');
    let ended = 0;
    found.onEnd?.(() => ended++);
    some.put({ ...recordOf(first.cert), groups: ['other'] });
    expect(ended).toBe(0);
    some.put({ ...recordOf(first.cert), revoked: revokedAt });
    expect(ended).toBe(1);
  });
});
