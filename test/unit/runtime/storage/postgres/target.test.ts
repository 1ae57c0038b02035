import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { passwordIn } from '../../../../../runtime/storage/postgres/password-file.js';
import { type Target, targetOf } from '../../../../../runtime/storage/postgres/target.js';
import { scratchFolder } from '../../../../support/scratch-folder.js';

type Environment = Readonly<Record<string, string>>;
const none: Environment = { PGPASSFILE: '/nowhere' };
const target = (url: string, environment: Environment = none): Target => targetOf({ url, environment }, false);

it('accepts everything that a URL of libpq can have', () => {
  const url =
    'postgresql://al%69ce:p%40ss:word@one.example:5433,[::1],two.example/shop' +
    '?schema=kf&sslmode=disable&connect_timeout=3&application_name=me&options=-c%20geqo%3Doff';
  expect(target(url.replace('[::1],', '[::1]:5432,').replace('two.example/', 'two.example:6000/'))).toMatchObject({
    hosts: [
      { host: 'one.example', port: 5433, password: 'p@ss:word' },
      { host: '::1', port: 5432 },
      { host: 'two.example', port: 6000 },
    ],
    user: 'alice',
    database: 'shop',
    schema: 'kf',
    security: { ways: [undefined] },
    connectTimeoutMs: 3000,
    applicationName: 'me',
    options: '-c geqo=off',
  });
});

it('takes missing parts of the URL from the environment, and gives an empty host the port of all', () => {
  const environment = {
    ...none,
    ...{ PGHOST: '/run/postgresql', PGPORT: '5440', PGUSER: 'bob', PGDATABASE: 'shop', PGPASSWORD: 'secret' },
    ...{ PGSSLMODE: 'verify-full', PGAPPNAME: 'app', PGTARGETSESSIONATTRS: 'read-write' },
  };
  const found = target('postgres://', environment);
  expect(found).toMatchObject({ user: 'bob', database: 'shop', schema: 'kindforge', applicationName: 'app' });
  expect(found.hosts).toEqual([{ host: '/run/postgresql', port: 5440, password: 'secret' }]);
  expect(found.security.ways).toEqual([{ rejectUnauthorized: true }]);
  expect(target('postgres://carol@db/x?sslmode=disable', environment)).toMatchObject({ user: 'carol', database: 'x' });
});

it('knows the modes of TLS', () => {
  const ways = (query: string) => target(`postgres://u@h/d?${query}`).security.ways;
  expect(ways('sslmode=disable')).toEqual([undefined]);
  expect(ways('')).toEqual([{ rejectUnauthorized: false }, undefined]);
  expect(ways('sslmode=allow')).toEqual([undefined, { rejectUnauthorized: false }]);
  expect(ways('sslmode=require')).toEqual([{ rejectUnauthorized: false }]);
  expect(ways('ssl=true')).toEqual([{ rejectUnauthorized: false }]);
  expect(ways('sslrootcert=system')).toMatchObject([{ rejectUnauthorized: true }, undefined]);
  expect(() => ways('sslmode=verify-ca')).toThrow('needs a file of authorities');
  expect(() => ways('sslmode=verify-full&sslrootcert=/nowhere')).toThrow('the file of sslrootcert cannot be read');
  expect(() => ways('sslmode=maybe')).toThrow('sslmode "maybe": must be one of');
});

it('finds the password in the password file', async () => {
  const file = join(await scratchFolder(), 'pgpass');
  writeFileSync(file, '# comment\nother:5432:*:u:wrong\nh:*:d:u:a\\:b\\\\c:d\n*:*:*:*:last\n');
  chmodSync(file, 0o600);
  const password = (url: string) => target(url, { PGPASSFILE: file }).hosts[0]?.password;
  expect(password('postgres://u@h/d')).toBe('a:b\\c');
  expect(password('postgres://u@h/e')).toBe('last');
  expect(password('postgres://u:own@h/d')).toBe('own');
  chmodSync(file, 0o644);
  expect(password('postgres://u@h/d')).toBe(undefined);
  expect(passwordIn('localhost:5432:d:u:p', { host: '/run', port: 5432, database: 'd', user: 'u' })).toBe('p');
});

it.each([
  ['http://h/d', 'must look like postgres://user@host:5432/database'],
  ['postgres://u:secret@h/d?sslmod=disable', 'has the option "sslmod"'],
  ['postgres://u:secret@h,i,j/d?port=1,2', 'has 2 ports for 3 hosts'],
  ['postgres://u:secret@h:99999/d', 'the port "99999"'],
  ['postgres://u:secret@h/d%zz', 'a % in the URL of PostgreSQL: must be followed by two hexadecimal digits'],
  ['postgres://u:secret@h/d?service=x', '"service" of PostgreSQL is not supported'],
  ['postgres://u:secret@h/d?target_session_attrs=x', 'target_session_attrs "x": must be one of'],
  [`postgres://u:secret@h/d?schema=${'é'.repeat(32)}`, 'must have at most 63 bytes'],
])('refuses %s without printing the password', (url, message) => {
  const refusal = (): unknown => {
    try {
      return target(url);
    } catch (error) {
      return error;
    }
  };
  expect(String(refusal())).toContain(message);
  expect(String(refusal())).not.toContain('secret');
});
