/** PostgreSQL that speaks German. It translates the severity of errors too. */
import { spawnSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SharedDriver } from '../../../../../runtime/contract/index.js';
import { postgresDriver } from '../../../../../runtime/storage/postgres/index.js';
import { makeAuthority } from '../../../../support/certificate-authority.js';
import { commit, OPEN, put } from '../../../../support/driver-changes.js';
import { eventually } from '../../../../support/eventually.js';
import {
  hasPostgres,
  ownFolder,
  type PostgresServer,
  postgresOrWhyNot,
  startPostgres,
} from '../../../../support/postgres.js';
import { scratchFolder } from '../../../../support/scratch-folder.js';

const WHY_NOT = 'there is no German locale, or PostgreSQL has no German messages';

describe.runIf(hasPostgres)(`${postgresOrWhyNot} in German`, () => {
  const scratch = scratchFolder();
  let postgres: PostgresServer;
  let locales = '';
  let speaksGerman = false;
  const drivers: SharedDriver[] = [];
  beforeAll(async () => {
    locales = await ownFolder();
    const locale = join(locales, 'de_DE.UTF-8');
    const made = spawnSync('localedef', ['--no-archive', '-i', 'de_DE', '-f', 'UTF-8', locale]);
    const tls = { cert: join(scratch, 'server.crt'), key: join(scratch, 'server.key') };
    const { cert, key } = await (await makeAuthority('CN=test')).issue({ subject: 'CN=db', names: ['localhost'] });
    await writeFile(tls.cert, cert);
    await writeFile(tls.key, key);
    const settings = made.status === 0 ? { lc_messages: 'de_DE.UTF-8' } : undefined;
    postgres = await startPostgres({ tls, environment: { LOCPATH: locales }, ...(settings && { settings }) });
    const error = await postgres.sql('SELECT 1/0').catch(String);
    speaksGerman = /Division durch Null/.test(String(error));
  });
  afterAll(async () => {
    await Promise.all(drivers.map((driver) => driver.close()));
    await postgres.dispose();
    await rm(locales, { recursive: true });
  });

  async function opened(url = postgres.url): Promise<SharedDriver> {
    const driver = postgresDriver({ url });
    drivers.push(driver);
    await driver.open(OPEN);
    return driver;
  }

  it('knows a refused change from one that may have been made', async ({ skip }) => {
    skip(!speaksGerman, WHY_NOT);
    await opened();
    await postgres.sql('CREATE ROLE poor LOGIN; GRANT USAGE ON SCHEMA kindforge TO poor');
    await postgres.sql('GRANT SELECT ON ALL TABLES IN SCHEMA kindforge TO poor');
    const poor = await opened(postgres.url.replace('postgres@', 'poor@'));
    const refusal = { problem: 'refused', message: /keine Berechtigung.*grant this right/ };
    await expect(commit(poor, put('/a/b/x'))).rejects.toMatchObject(refusal);
  });

  it('connects without TLS if the server lets nobody in with TLS', async ({ skip }) => {
    skip(!speaksGerman, WHY_NOT);
    await writeFile(join(postgres.data, 'pg_hba.conf'), 'hostnossl all all 127.0.0.1/32 trust\n');
    await postgres.sql('SELECT pg_reload_conf()');
    await eventually(() =>
      expect(opened(`${postgres.url}?sslmode=require`)).rejects.toThrow('kein pg_hba.conf-Eintrag'),
    );
    expect(await (await opened()).look()).toEqual({ number: 0, head: 0 });
  });
});
