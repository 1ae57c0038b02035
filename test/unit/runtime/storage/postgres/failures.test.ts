/** Loses PostgreSQL in many ways, and checks that the driver reports it and continues afterwards. */
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { SharedDriver } from '../../../../../runtime/contract/index.js';
import { postgresDriver } from '../../../../../runtime/storage/postgres/index.js';
import { startCuttingProxy } from '../../../../support/cutting-proxy.js';
import { commit, followed, loaded, OPEN, put, remove } from '../../../../support/driver-changes.js';
import { eventually } from '../../../../support/eventually.js';
import { hasPostgres, type PostgresServer, postgresOrWhyNot, startPostgres } from '../../../../support/postgres.js';

/** Counts the changes that wait for the lock of the head. */
const WAITING = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%commit_group%' AND wait_event_type = 'Lock'";

describe.runIf(hasPostgres)(postgresOrWhyNot, () => {
  let postgres: PostgresServer;
  const drivers: SharedDriver[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterEach(async () => {
    await Promise.all(drivers.splice(0).map((one) => one.close()));
    if (!postgres.isRunning) await postgres.restart();
    await postgres.sql('DROP SCHEMA IF EXISTS kindforge CASCADE');
  });
  afterAll(() => postgres.dispose());

  async function opened(url = postgres.url): Promise<SharedDriver> {
    const driver = postgresDriver({ url });
    drivers.push(driver);
    await driver.open(OPEN);
    return driver;
  }

  /** Holds the lock of the head until the returned function is called. */
  async function lockHead(): Promise<() => Promise<void>> {
    const held = postgres.sql('BEGIN; SELECT 1 FROM kindforge.head FOR UPDATE; SELECT pg_sleep(60)').catch(() => {});
    const locks = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND wait_event = 'PgSleep'";
    await eventually(async () => expect(await postgres.sql(locks)).toBe('1'));
    return async () => {
      await postgres.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(60)%' AND pid <> pg_backend_pid()",
      );
      await held;
    };
  }

  it('reports an unknown outcome when the server dies, and continues after its restart', async () => {
    const driver = await opened();
    const seen = await followed(driver);
    await commit(driver, put('/a/b/x'));
    for (const end of ['kill', 'stopAtOnce'] as const) {
      await lockHead();
      const pending = expect(commit(driver, put('/a/b/y'))).rejects.toMatchObject({ problem: 'uncertain' });
      await eventually(async () => expect(await postgres.sql(WAITING)).toBe('1'));
      await postgres[end]();
      await pending;
      const change = () => driver.commit([put('/a/b/z')], { withinMs: 300 });
      await eventually(() => expect(change()).rejects.toMatchObject({ problem: 'unsent' }));
      await postgres.restart();
    }
    await eventually(() => expect(seen.error).toMatchObject({ problem: 'unsent' }));
    expect(await driver.look()).toEqual({ number: 1, head: 1 });
    const again = await followed(driver, 1);
    await commit(driver, put('/a/b/y'));
    await again.reached(2);
    expect(again.lines).toEqual(['2: /a/b/y@2']);
  });

  it('gives up in time while the server is frozen or the head is locked, and leaves nothing behind', async () => {
    const driver = await opened();
    const release = await lockHead();
    const began = performance.now();
    await expect(driver.commit([put('/a/b/x')], { withinMs: 500 })).rejects.toMatchObject({ problem: 'unsent' });
    await release();
    postgres.pause();
    await expect(driver.commit([put('/a/b/x')], { withinMs: 500 })).rejects.toMatchObject({ problem: 'uncertain' });
    expect(performance.now() - began).toBeLessThan(5_000);
    postgres.resume();
    expect(await driver.look()).toEqual({ number: expect.any(Number), head: expect.any(Number) });
  });

  it('ends the call of a lost connection before it tries again, so that a deleted object stays away', async () => {
    const proxy = await startCuttingProxy(postgres.url, () => Number.POSITIVE_INFINITY);
    try {
      const driver = await opened(postgres.url.replace(/127\.0\.0\.1:\d+/, proxy.host));
      const release = await lockHead();
      const first = expect(commit(driver, put('/a/b/x'))).rejects.toMatchObject({ problem: 'uncertain' });
      await eventually(async () => expect(await postgres.sql(WAITING)).toBe('1'));
      const old = Number(await postgres.sql(WAITING.replace('count(*)', 'pid')));
      // From now on, the process does not notice anything.
      process.kill(old, 'SIGSTOP');
      await release();
      proxy.leadTo(postgres.url);
      await first;
      expect(await commit(driver, put('/a/b/x'))).toMatchObject({ head: 1, verdicts: [{ made: true }] });
      expect(await commit(driver, remove('/a/b/x', 1))).toMatchObject({ head: 2, verdicts: [{ made: true }] });
      process.kill(old, 'SIGCONT');
      const isGone = `SELECT count(*) FROM pg_stat_activity WHERE pid = ${old}`;
      await eventually(async () => expect(await postgres.sql(isGone)).toBe('0'));
      expect(await loaded(driver)).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  it('makes each change at most once when connections are cut all the time', async () => {
    const driver = await opened();
    let stopped = false;
    const cuts = (async () => {
      while (!stopped) {
        await postgres.sql(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'kindforge' ORDER BY random() LIMIT 1",
        );
      }
    })();
    const made = new Map<string, number>();
    const doubtful = new Set<string>();
    for (let index = 0; index < 40; index++) {
      const key = `/a/b/${index}`;
      try {
        const { outcome, ...rest } = await commit(driver, put(key));
        expect(outcome).toBe('decided');
        if ('head' in rest) made.set(key, rest.head);
      } catch (error) {
        expect(error).toMatchObject({ problem: 'uncertain' });
        doubtful.add(key);
      }
    }
    stopped = true;
    await cuts;
    const found = await loaded(driver);
    for (const [key, revision] of made) expect(found).toContain(`${key}@${revision}`);
    expect(
      found.filter((line) => !made.has(line.split('@')[0] ?? '') && !doubtful.has(line.split('@')[0] ?? '')),
    ).toEqual([]);
    expect((await driver.look()).head).toBe(found.length);
  });

  it('reads a standby, and uses it when it becomes the primary', async () => {
    const standby = await postgres.standby();
    onTestFinished(() => standby.dispose());
    const hosts = `127.0.0.1:${postgres.port},127.0.0.1:${standby.port}`;
    const driver = await opened(postgres.url.replace(/127\.0\.0\.1:\d+/, hosts));
    await commit(driver, put('/a/b/x'));
    await eventually(async () => expect(await standby.sql('SELECT revision FROM kindforge.head')).toBe('1'));
    const reader = postgresDriver({ url: standby.url, readOnly: true });
    drivers.push(reader);
    expect(await reader.open({ ...OPEN, readOnly: true })).toMatchObject({ historyFrom: 0 });
    expect(await loaded(reader)).toEqual(['/a/b/x@1']);
    expect((await followed(reader)).lines).toEqual(['1: /a/b/x@1']);
    await postgres.kill();
    const refusal = { problem: 'unsent', message: /only reads: it is a standby/ };
    const change = () => driver.commit([put('/a/b/y')], { withinMs: 300 });
    await eventually(() => expect(change()).rejects.toMatchObject(refusal));
    await standby.promote();
    expect(await driver.look()).toEqual({ number: 1, head: 1 });
    expect(await commit(driver, put('/a/b/y'))).toMatchObject({ outcome: 'decided', head: 2 });
  });

  it('notices that a standby lacks acknowledged changes, also when others have written to it', async () => {
    const standby = await postgres.standby();
    onTestFinished(() => standby.dispose());
    const hosts = `127.0.0.1:${postgres.port},127.0.0.1:${standby.port}`;
    const driver = await opened(postgres.url.replace(/127\.0\.0\.1:\d+/, hosts));
    await commit(driver, put('/a/b/x'));
    await eventually(async () => expect(await standby.sql('SELECT revision FROM kindforge.head')).toBe('1'));
    await standby.kill();
    const seen = await followed(driver);
    await commit(driver, put('/a/b/lost'));
    await postgres.kill();
    await standby.restart();
    await standby.promote();
    await expect(commit(driver, put('/a/b/y'))).rejects.toThrow('is at revision 1 and lacks revision 2');
    const other = await opened(standby.url);
    await commit(other, put('/a/b/p'), put('/a/b/q'));
    await expect(commit(driver, put('/a/b/y'))).rejects.toThrow('is at revision 3 and lacks revision 2');
    await expect(driver.look()).rejects.toThrow('lacks revision 2');
    await expect(loaded(driver)).rejects.toThrow('lacks revision 2');
    await eventually(() => expect(seen.error).toBeDefined());
    expect((await followed(driver, 2)).error).toMatchObject({ message: /lacks revision 2/ });
    expect(seen.lines).toEqual(['1: /a/b/x@1', '2: /a/b/lost@2']);
  });

  it('names the missing rights of a role, and reports a read-only server', async () => {
    const driver = await opened();
    await postgres.sql('CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA kindforge TO reader');
    await postgres.sql('GRANT SELECT ON ALL TABLES IN SCHEMA kindforge TO reader');
    const reader = await opened(postgres.url.replace('postgres@', 'reader@'));
    expect(await reader.writeProblem?.()).toContain('does not let this role write');
    await expect(commit(reader, put('/a/b/x'))).rejects.toMatchObject({
      ...{ problem: 'refused', message: /permission denied.*grant this right/ },
    });
    await postgres.sql('ALTER SYSTEM SET default_transaction_read_only = on; SELECT pg_reload_conf()');
    await eventually(async () =>
      expect(await driver.writeProblem?.()).toContain('default_transaction_read_only is set'),
    );
    await expect(driver.commit([put('/a/b/x')], { withinMs: 500 })).rejects.toMatchObject({ problem: 'unsent' });
    await postgres.sql('SET default_transaction_read_only = off; ALTER SYSTEM RESET default_transaction_read_only');
    await postgres.sql('SELECT pg_reload_conf()');
  });
});
