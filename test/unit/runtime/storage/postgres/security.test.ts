import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresDriver } from '../../../../../runtime/storage/postgres/index.js';
import { makeAuthority } from '../../../../support/certificate-authority.js';
import { OPEN } from '../../../../support/driver-changes.js';
import { hasPostgres, type PostgresServer, postgresOrWhyNot, startPostgres } from '../../../../support/postgres.js';
import { scratchFolder } from '../../../../support/scratch-folder.js';

describe.runIf(hasPostgres)(`${postgresOrWhyNot} with passwords and TLS`, () => {
  let postgres: PostgresServer;
  const folder = scratchFolder();
  const [cert, key, authority] = ['server.crt', 'server.key', 'ca.crt'].map((name) => join(folder, name));
  beforeAll(async () => {
    if (!cert || !key || !authority) throw new Error('there are three');
    const own = await makeAuthority('CN=test');
    const pair = await own.issue({ subject: 'CN=db', names: ['localhost'] });
    await writeFile(cert, pair.cert);
    await writeFile(key, pair.key);
    await writeFile(authority, own.cert);
    postgres = await startPostgres({ password: 's3cret', tls: { cert, key } });
  });
  afterAll(() => postgres?.dispose());

  /** Opens the store, and resolves to whether TLS is used. */
  async function open(query: string, { host = 'localhost', login = 'postgres:s3cret', password = '' } = {}) {
    const url = `postgres://${login}@${host}:${postgres.port}/postgres${query}`;
    const environment = { PGPASSFILE: '/nowhere' };
    const driver = postgresDriver({ url, environment, ...(password === '' ? {} : { password }) });
    try {
      await driver.open(OPEN);
      const uses =
        "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE application_name = 'kindforge'";
      return await postgres.sql(uses);
    } finally {
      await driver.close();
    }
  }

  it('uses TLS if the server has it, and verifies the server by sslmode', async () => {
    expect(await open('')).toBe('t');
    expect(await open('?sslmode=disable')).toBe('f');
    expect(await open(`?sslmode=verify-full&sslrootcert=${authority}`)).toBe('t');
    expect(await open(`?sslmode=verify-ca&sslrootcert=${authority}`, { host: '127.0.0.1' })).toBe('t');
    const wrongName = open(`?sslmode=verify-full&sslrootcert=${authority}`, { host: '127.0.0.1' });
    await expect(wrongName).rejects.toThrow("does not match certificate's altnames");
    await expect(open('?sslmode=verify-full')).rejects.toThrow('unable to verify');
  });

  it('prefers the password of the option, and never prints one', async () => {
    expect(await open('', { login: 'postgres:wr0ng', password: 's3cret' })).toBe('t');
    const wrong = await open('', { login: 'postgres:wr0ng' }).catch((error: unknown) => error);
    expect(wrong).toMatchObject({ problem: 'refused', message: /password authentication failed for user "postgres"/ });
    expect(JSON.stringify(wrong) + String(wrong)).not.toContain('wr0ng');
    await expect(open('', { login: 'postgres' })).rejects.toThrow('there is none for "postgres": set PGPASSWORD');
    await expect(open('', { login: 'postgres:s3cret' }).then(() => open('?schema=a&sslmode=x'))).rejects.toThrow(
      'sslmode',
    );
  });
});
