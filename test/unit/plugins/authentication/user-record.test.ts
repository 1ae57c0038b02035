import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  readUserRecord,
  secretNameOf,
  type UserRecord,
  userGroupProblem,
  userNameProblem,
  userRecordData,
  userSecretType,
} from '../../../../plugins/index.js';
import { dns1123Subdomain } from '../../../../runtime/objects/names/name-checks.js';

const word = fc.stringMatching(/^[A-Za-z0-9]{1,6}$/);
const name = fc
  .array(fc.tuple(word, fc.constantFrom('-', '.', '_', '@', '+')), { minLength: 1, maxLength: 5 })
  .map((parts) => parts.flat().slice(0, -1).join(''));

const jane: UserRecord = {
  name: 'jane',
  groups: ['dev', 'shop:admins'],
  credential: 'certificate',
  id: 'ab12',
  created: '2026-01-01T00:00:00Z',
  expires: '2027-01-01T00:00:00Z',
  onlyThis: false,
};
const secretOf = (record: UserRecord) => ({
  type: userSecretType,
  metadata: { name: secretNameOf(record.name) },
  data: userRecordData(record),
});

describe('the secret of a user', () => {
  it.each([
    ['jane', 'kindforge-user-jane'],
    ['jane-doe', 'kindforge-user-jane-doe'],
    ['jane@example.com', 'kindforge-user-jane.40example.2ecom'],
    ['Jane', 'kindforge-user.4aane'],
    ['a-B', 'kindforge-user-a.2d.42'],
  ])('of %s is named %s', (user, secret) => expect(secretNameOf(user)).toBe(secret));

  it('has a valid name for every user, and another one for each', () =>
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(userNameProblem(one)).toBeUndefined();
        expect(dns1123Subdomain(secretNameOf(one))).toEqual([]);
        expect(secretNameOf(one) === secretNameOf(other)).toBe(one === other);
      }),
    ));

  it('contains its record', () => {
    expect(readUserRecord(secretOf(jane))).toEqual(jane);
    const revoked: UserRecord = {
      ...jane,
      credential: 'token',
      groups: [],
      revoked: '2026-02-01T00:00:00Z',
      onlyThis: true,
    };
    expect(readUserRecord(secretOf(revoked))).toEqual(revoked);
  });

  it('is ignored with another type or name, or without a user', () => {
    const secret = secretOf(jane);
    expect(readUserRecord({ ...secret, type: 'Opaque' })).toBeUndefined();
    expect(readUserRecord({ ...secret, metadata: { name: 'kindforge-user-bob' } })).toBeUndefined();
    expect(readUserRecord({ ...secret, data: {} })).toBeUndefined();
  });
});

describe('names', () => {
  it.each([
    ['system:admin', 'names that begin with system: belong to the server'],
    ['', 'must be letters and digits'],
    ['jane doe', 'must be letters and digits'],
    ['-jane', 'must be letters and digits'],
    ['jane..doe', 'must be letters and digits'],
    ['a'.repeat(65), 'must have at most 64 characters'],
  ])('%j is refused', (user, problem) => expect(userNameProblem(user)).toContain(problem));

  it.each(['system:masters', '', 'a b', 'a,b', 'a"b', 'a\nb'])('%j is not a group', (group) =>
    expect(userGroupProblem(group)).toBeTypeOf('string'),
  );

  it('of groups may have colons', () => expect(userGroupProblem('shop:admins')).toBeUndefined());
});
