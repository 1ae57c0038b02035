/** Passwords: authenticates users by name and password (RFC 7617). A file has the hashes of the passwords. */
import { createHash, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type Authenticator, authenticatedUser, type Credentials, type UserInfo } from 'kindforge/contract';

const hash = promisify<string, Buffer, number, Buffer>(scrypt);

/** Bytes of a hash. */
const hashLength = 32;
/** The number of checked headers to remember: the hash is slow on purpose, and clients repeat their header. */
const remembered = 1000;

interface Account {
  readonly user: UserInfo;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/** Returns a line of a password file: the name, a salt and the salted hash (both in base64url), and groups. */
export async function passwordLine(name: string, password: string, salt: Buffer, groups: string): Promise<string> {
  const hashed = await hash(password, salt, hashLength);
  return [name, salt.toString('base64url'), hashed.toString('base64url'), groups].join(':');
}

/** Makes an authenticator from the text of a password file. Throws if a line is malformed. */
export function definePasswords(text: string): Authenticator {
  const accounts = new Map(readAccounts(text).map((account) => [account.user.name, account]));
  const known = new Map<string, UserInfo>();

  return {
    name: 'passwords',
    async authenticate(credentials) {
      const sent = nameAndPassword(credentials);
      if (!sent) return undefined;
      const key = createHash('sha256').update(sent.header).digest('hex');
      const user = known.get(key) ?? (await check(accounts.get(sent.name), sent.password));
      if (!user) return { refused: 'the name or the password is wrong' };
      if (known.size >= remembered) known.clear();
      known.set(key, user);
      return { user };
    },
  };
}

/** Returns the name and password of a `Basic` header, or `undefined` without such a header. */
function nameAndPassword({ headers: { authorization: header } }: Credentials) {
  if (typeof header !== 'string' || !/^basic /i.test(header)) return undefined;
  const text = Buffer.from(header.slice('basic '.length), 'base64').toString();
  const [name = ''] = text.split(':', 1);
  return { header, name, password: text.slice(name.length + 1) };
}

/**
 * Checks a password. An unknown name takes as long as a wrong password, so the time does not reveal which names exist.
 */
async function check(account: Account | undefined, password: string): Promise<UserInfo | undefined> {
  const found = await hash(password, account?.salt ?? Buffer.alloc(16), hashLength);
  return account && timingSafeEqual(found, account.hash) ? account.user : undefined;
}

function readAccounts(text: string): readonly Account[] {
  return text.split('\n').flatMap((line, index) => {
    if (line === '') return [];
    const [name = '', salt = '', hashed = '', groups = ''] = line.split(':');
    const bytes = Buffer.from(hashed, 'base64url');
    if (name === '' || bytes.length !== hashLength) throw new Error(`line ${index + 1} of the password file is broken`);
    const user = authenticatedUser(name, name, groups === '' ? [] : groups.split(','));
    return [{ user, salt: Buffer.from(salt, 'base64url'), hash: bytes }];
  });
}
