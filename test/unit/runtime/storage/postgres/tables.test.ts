/** The tables as operators see them: encrypted objects, a role with few rights, reports, and several servers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Store } from '../../../../../runtime/contract/index.js';
import { Encryption } from '../../../../../runtime/storage/encryption/encryption.js';
import { aesgcm } from '../../../../../runtime/storage/encryption/transformers.js';
import {
  type OpenPostgresStoreOptions,
  openPostgresStore,
  reportViews,
  schemaStatements,
} from '../../../../../runtime/storage/postgres/index.js';
import { eventually } from '../../../../support/eventually.js';
import { hasPostgres, type PostgresServer, postgresOrWhyNot, startPostgres } from '../../../../support/postgres.js';
import { commit, contentOf, encoded, readAttributes, watching } from '../../../../support/store-objects.js';

const encryption = (): Encryption =>
  new Encryption([{ resources: ['secrets'], transformers: [aesgcm({ name: 'a', secret: Buffer.alloc(32, 'a') })] }]);

describe.runIf(hasPostgres)(postgresOrWhyNot, () => {
  let postgres: PostgresServer;
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.dispose());

  async function withStores(
    options: Partial<OpenPostgresStoreOptions>,
    use: (one: Store, other: Store) => Promise<void>,
  ): Promise<void> {
    const open = () => openPostgresStore({ url: postgres.url, readAttributes, ...options });
    const one = await open();
    const other = await open();
    try {
      await use(one, other);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  }

  it('contain no plain text of encrypted objects, and watchers of other servers get it', async () => {
    const options = { schema: 'encrypted' };
    const url = `SELECT string_agg(encode(body, 'escape'), '') FROM encrypted.objects`;
    const replaced = `SELECT string_agg(encode(coalesce(replaced, '') || coalesce(last_state, ''), 'escape'), '') FROM encrypted.changes`;
    await withStores({ ...options, encryption: encryption() }, async (one, other) => {
      const watch = watching(other, '', other.revision);
      const { revision } = await commit(one, '/secrets/a/s', 0, 'first-secret');
      await commit(one, '/configmaps/a/c', 0, 'no-secret');
      const second = await commit(one, '/secrets/a/s', revision, 'second-secret');
      expect(await one.commit({ key: '/secrets/a/s', expected: 9, next: encoded('x') })).toMatchObject({
        ...{ outcome: 'conflict', current: { revision: second.revision } },
      });
      await one.commit({ key: '/secrets/a/s', expected: second.revision, last: encoded('last-secret') });
      await commit(one, '/secrets/a/t', 0, 'third-secret');
      await eventually(() => expect(watch.events).toHaveLength(5));
      expect(watch.events.map(({ entry }) => contentOf(entry))).toEqual([
        ...['first-secret', 'no-secret', 'second-secret', 'last-secret', 'third-secret'],
      ]);
    });
    for (const query of [url, replaced]) expect(await postgres.sql(query)).not.toContain('t-secret');
    expect(await postgres.sql(url)).toMatch(/no-secret/);
    // History is replayed after a start.
    await withStores({ ...options, encryption: encryption() }, async (one) => {
      expect(contentOf(one.get('/secrets/a/t'))).toBe('third-secret');
      const watch = watching(one, '/secrets/', 2);
      await eventually(() => expect(watch.events).toHaveLength(3));
      expect(watch.events.map(({ entry }) => contentOf(entry))).toEqual([
        'second-secret',
        'last-secret',
        'third-secret',
      ]);
    });
    await expect(withStores(options, async () => {})).rejects.toThrow('/secrets/a/t');
  });

  it('can be used by a role that owns nothing, if another role has created them', async () => {
    await postgres.sql(schemaStatements('granted'));
    await postgres.sql('CREATE ROLE worker LOGIN; GRANT USAGE ON SCHEMA granted TO worker');
    await postgres.sql('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA granted TO worker');
    const url = postgres.url.replace('postgres@', 'worker@');
    await withStores({ url, schema: 'granted', historyWindowMs: 100 }, async (one, other) => {
      await commit(one, '/a/b/c', 0, 'content');
      expect(await other.confirm()).toBeUndefined();
      expect(contentOf(other.get('/a/b/c'))).toBe('content');
      expect([one.health(), other.health()]).toEqual(['', '']);
      await eventually(async () => expect(await postgres.sql('SELECT count(*) FROM granted.changes')).toBe('0'));
      await one.restore([{ key: '/a/b/d', object: encoded('restored') }], 100);
      expect(contentOf(one.get('/a/b/d'))).toBe('restored');
    });
  });

  it('have views for reports', async () => {
    await withStores({ schema: 'reports', encryption: encryption() }, async (one) => {
      await commit(one, 'apps/deployments/shop/web', 0, 'content');
      await commit(one, '/secrets/shop/key', 0, 'content');
    });
    await postgres.sql(reportViews('reports'));
    const objects = `SELECT resource, namespace, name, object #>> '{metadata,resourceVersion}' FROM reports.objects_json`;
    expect(await postgres.sql(`${objects} ORDER BY revision`)).toBe('deployments|shop|web|1\nsecrets|shop|key|');
    expect(await postgres.sql('SELECT resource, objects FROM reports.resources ORDER BY 1')).toBe(
      'deployments|1\nsecrets|1',
    );
    expect(await postgres.sql('SELECT revision, change, name FROM reports.recent_changes')).toBe(
      '2|create|key\n1|create|web',
    );
  });
});
