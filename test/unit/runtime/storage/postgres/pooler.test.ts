import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { postgresDriver } from '../../../../../runtime/storage/postgres/index.js';
import { commit, followed, loaded, OPEN, put } from '../../../../support/driver-changes.js';
import { eventually } from '../../../../support/eventually.js';
import { hasPgBouncer, type Pooler, pgBouncerOrWhyNot, startPgBouncer } from '../../../../support/pgbouncer.js';
import { hasPostgres, type PostgresServer, postgresOrWhyNot, startPostgres } from '../../../../support/postgres.js';

describe.runIf(hasPostgres && hasPgBouncer)(`${postgresOrWhyNot} behind ${pgBouncerOrWhyNot}`, () => {
  let postgres: PostgresServer;
  let pooler: Pooler;
  beforeAll(async () => {
    postgres = await startPostgres();
    pooler = await startPgBouncer(postgres);
  });
  afterAll(async () => {
    await pooler.dispose();
    await postgres.dispose();
  });

  it('reports that notifications do not arrive, and polls for changes instead', async () => {
    const notices: string[] = [];
    const onNotice = (message: string): void => {
      notices.push(message);
    };
    const drivers = [1, 2].map(() => postgresDriver({ url: pooler.url, onNotice }));
    const [one, other] = drivers;
    if (!one || !other) throw new Error('there are two');
    try {
      for (const driver of drivers) await driver.open(OPEN);
      const seen = await followed(other);
      await eventually(() => expect(notices.join()).toContain('does not carry notifications'));
      for (let index = 0; index < 20; index++) await commit(one, put(`/a/b/${index}`), put(`/a/c/${index}`));
      await seen.reached(40);
      expect(seen.lines).toHaveLength(20);
      expect(await loaded(other)).toHaveLength(40);
      expect(await loaded(other, 10)).toHaveLength(10);
    } finally {
      await Promise.all(drivers.map((driver) => driver.close()));
    }
  });

  it('reports nothing if they arrive', async () => {
    const notices: string[] = [];
    const driver = postgresDriver({ url: postgres.url, onNotice: (message) => notices.push(message) });
    onTestFinished(() => driver.close());
    await driver.open(OPEN);
    const seen = await followed(driver);
    await sleep(1_200);
    expect(notices).toEqual([]);
    seen.stop();
  });

  it('reports nothing if they arrive late, because a read waits for a lock', async () => {
    const notices: string[] = [];
    const driver = postgresDriver({ url: postgres.url, onNotice: (message) => notices.push(message) });
    onTestFinished(() => driver.close());
    await driver.open(OPEN);
    const locked = postgres.sql('BEGIN; LOCK TABLE kindforge.changes; SELECT pg_sleep(2.5)');
    const locks =
      "SELECT count(*) FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND relation = 'kindforge.changes'::regclass";
    await eventually(async () => expect(await postgres.sql(locks)).toBe('1'));
    const seen = await followed(driver);
    await locked;
    await sleep(1_200);
    expect(notices).toEqual([]);
    seen.stop();
  });
});
