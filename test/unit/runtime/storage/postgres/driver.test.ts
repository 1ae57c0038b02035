/** The driver without a store, on one PostgreSQL. Each test has a schema of its own. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RestoredObject, SharedDriver } from '../../../../../runtime/contract/index.js';
import { type PostgresDriverOptions, postgresDriver } from '../../../../../runtime/storage/postgres/index.js';
import { commit, encoded, followed, loaded, OPEN, put, remove } from '../../../../support/driver-changes.js';
import { eventually } from '../../../../support/eventually.js';
import { hasPostgres, type PostgresServer, postgresOrWhyNot, startPostgres } from '../../../../support/postgres.js';

describe.runIf(hasPostgres)(postgresOrWhyNot, () => {
  let postgres: PostgresServer;
  let schema = '';
  let schemas = 0;
  const drivers: SharedDriver[] = [];
  beforeAll(async () => {
    postgres = await startPostgres();
  });
  afterAll(() => postgres.dispose());
  afterEach(async () => {
    await Promise.all(drivers.splice(0).map((driver) => driver.close()));
  });

  function driver(options: Partial<PostgresDriverOptions> = {}): SharedDriver {
    const made = postgresDriver({ url: postgres.url, schema, ...options });
    drivers.push(made);
    return made;
  }

  /** Opens drivers for one new schema. */
  async function opened(count: number): Promise<readonly SharedDriver[]> {
    schema = `driver ${++schemas}"`;
    const made = Array.from({ length: count }, () => driver());
    await Promise.all(made.map((one) => one.open(OPEN)));
    return made;
  }

  async function pair(): Promise<readonly [SharedDriver, SharedDriver]> {
    const [one, other] = await opened(2);
    if (!one || !other) throw new Error('there are two');
    return [one, other];
  }

  it('creates the tables once, and gives all servers the same secret', async () => {
    schema = `driver ${++schemas}"`;
    const all = await Promise.all(Array.from({ length: 4 }, () => driver().open(OPEN)));
    const [{ secret } = {}] = all;
    expect(secret).toHaveLength(32);
    for (const found of all) expect(found).toEqual({ unfinished: false, secret, historyFrom: 0 });
  });

  it('decides on each change by itself, on the state before all of them', async () => {
    const [one] = await pair();
    await commit(one, put('/pods/a/x'), put('/nodes/n'));
    const guards = [{ key: '/nodes/n', revision: 1 }];
    expect(
      await commit(
        one,
        put('/pods/a/x', 1, 'second'),
        { ...put('/pods/a/guarded'), guards },
        put('/pods/a/y', 7),
        remove('/nodes/n', 2),
        { key: '/pods/a/absent', expected: 0, writes: false },
        put('/pods/b/x'),
      ),
    ).toEqual({
      ...{ outcome: 'decided', number: 5, head: 5 },
      verdicts: [
        { made: true, revision: 3 },
        ...[{ made: false }, { made: false }],
        { made: true, revision: 4 },
        { made: true, revision: 5 },
        { made: true, revision: 5 },
      ],
    });
    const lost = await commit(one, put('/pods/a/x', 1));
    const value = Buffer.from(encoded('second').text);
    expect(lost).toMatchObject({ verdicts: [{ made: false, found: { key: '/pods/a/x', revision: 3, value } }] });
    expect(await loaded(one)).toEqual(['/pods/a/x@3', '/pods/b/x@5']);
  });

  it('gives all servers every group once and in order, with revisions without gaps', async () => {
    const both = await pair();
    const seen = await Promise.all(both.map((one) => followed(one)));
    const all = both.map(async (one, writer) => {
      for (let round = 0; round < 40; round++) {
        const group = Array.from({ length: 1 + (round % 7) }, (_, index) => put(`/w${writer}/r${round}/${index}`));
        // Both want this one, and one of them loses.
        await commit(one, ...group, put(`/shared/r${round}`));
      }
    });
    await Promise.all(all);
    const { head } = await both[0].look();
    for (const each of seen) await each.reached(head);
    const revisions = seen[0]?.groups.flatMap(({ changes }) => changes.map(({ revision }) => revision));
    expect(revisions).toEqual(Array.from({ length: head }, (_, index) => index + 1));
    expect(seen[0]?.lines).toEqual(seen[1]?.lines);
    expect(new Set(seen[0]?.groups.map(({ writer }) => writer))).toEqual(new Set(both.map(({ writer }) => writer)));
  });

  it('decides nothing if the head is not the expected one', async () => {
    const [one, other] = await pair();
    await commit(one, put('/a/b/c'));
    expect(await other.commit([put('/a/b/d')], { head: 0, withinMs: 1000 })).toEqual({
      ...{ outcome: 'moved', number: 1, head: 1 },
    });
    expect(await other.commit([put('/a/b/d')], { head: 1, withinMs: 1000 })).toMatchObject({ outcome: 'decided' });
  });

  it('loads earlier states, and delivers later changes, with the last states of deleted objects', async () => {
    const [one, other] = await pair();
    await commit(one, put('/a/b/x'), put('/a/b/y'));
    await commit(one, put('/a/b/x', 1, 'later'));
    await commit(one, { ...remove('/a/b/x', 3), last: encoded('last') }, put('/a/b/y', 2));
    await commit(one, put('/a/b/x'));
    expect(await loaded(other, 2)).toEqual(['/a/b/x@1', '/a/b/y@2']);
    expect(await loaded(other, 3)).toEqual(['/a/b/x@3', '/a/b/y@2']);
    expect(await loaded(other, 5)).toEqual(['/a/b/y@5']);
    const late = await followed(other, 2);
    await late.reached(6);
    expect(late.lines).toEqual(['3: /a/b/x@3', '5: -/a/b/x@4 /a/b/y@5', '6: /a/b/x@6']);
    const [first, second] = late.groups;
    expect(first?.changes[0]?.value?.toString()).toBe(encoded('later').text);
    expect(second?.changes[0]?.last?.toString()).toBe(encoded('last').text);
  });

  it('forgets revisions older than the window, by one server at a time', async () => {
    const [one, other] = await pair();
    for (let index = 0; index < 5; index++) await commit(one, put(`/a/b/${index}`), put(`/a/c/${index}`));
    expect([await one.housekeeping?.lead(5), await other.housekeeping?.lead(5)]).toEqual([true, false]);
    await one.housekeeping?.resign();
    expect(await other.housekeeping?.lead(5)).toBe(true);
    await other.housekeeping?.forget(60_000);
    expect(await loaded(one, 2)).toHaveLength(2);
    await other.housekeeping?.forget(0);
    await expect(loaded(one, 2)).rejects.toMatchObject({ problem: 'compacted', oldest: 10 });
    const seen = await followed(one, 2);
    expect(seen.error).toMatchObject({ problem: 'compacted', oldest: 10 });
    expect((await other.open(OPEN)).historyFrom).toBe(10);
    expect(await loaded(one, 10)).toHaveLength(10);
  });

  it('ends all other servers when the data is replaced', async () => {
    const [one, other] = await pair();
    await commit(one, put('/a/b/old'));
    const seen = await followed(other);
    await one.replace(objects(5), 1000);
    await eventually(() => expect(seen.error).toMatchObject({ problem: 'superseded' }));
    expect(await commit(other, put('/a/b/x'))).toEqual({ outcome: 'superseded' });
    await expect(other.look()).rejects.toMatchObject({ problem: 'superseded' });
    expect(await one.open(OPEN)).toMatchObject({ unfinished: false, historyFrom: 1006 });
    expect(await loaded(one)).toEqual(['/a/b/0@1002', '/a/b/1@1003', '/a/b/2@1004', '/a/b/3@1005', '/a/b/4@1006']);
  });

  it('keeps others from an unfinished restore, and lets only the last of two finish', async () => {
    const [one, other] = await pair();
    await expect(one.replace(failing(), 0)).rejects.toThrow('the source has failed');
    expect(await other.open(OPEN)).toMatchObject({ unfinished: true });
    expect(await commit(other, put('/a/b/x'))).toEqual({ outcome: 'superseded' });
    await other.replace(objects(1), 0);
    await expect(one.replace(objects(1), 0)).rejects.toMatchObject({ problem: 'superseded' });
  });

  it('knows the state after a restore, even if it looked at the data meanwhile', async () => {
    const [one] = await pair();
    await commit(one, put('/a/b/old'));
    const nothing = async function* (): AsyncGenerator<RestoredObject> {
      await one.look();
      yield* [];
    };
    await one.replace(nothing(), 0);
    expect(await one.open(OPEN)).toMatchObject({ unfinished: false });
    expect(await loaded(one)).toEqual([]);
  });

  it('works in stricter levels of isolation', async () => {
    schema = `driver ${++schemas}"`;
    const url = `${postgres.url}?options=-c%20default_transaction_isolation%3Dserializable`;
    const both = [driver({ url }), driver({ url })];
    for (const one of both) await one.open(OPEN);
    await Promise.all(
      both.map(async (one, writer) => {
        for (let round = 0; round < 20; round++) await commit(one, put(`/a/w${writer}/${round}`), put(`/a/b/${round}`));
      }),
    );
    expect(await both[0]?.look()).toEqual({ number: 60, head: 60 });
  });

  it('upgrades data of an earlier format, but not as a reader', async () => {
    const [one, other] = await pair();
    await commit(one, put('/a/b/x'));
    const name = `"${schema.replaceAll('"', '""')}"`;
    const format = async () => (await postgres.sql(`SELECT format FROM ${name}.head`)).trim();
    const current = await format();
    await postgres.sql(`UPDATE ${name}.head SET format = 0; DROP INDEX ${name}.changes_replaced_revision`);
    await other.open({ ...OPEN, readOnly: true });
    expect(await format()).toBe('0');
    await other.open(OPEN);
    expect(await format()).toBe(current);
    expect(await postgres.sql(`SELECT to_regclass('${name}.changes_replaced_revision') IS NOT NULL`)).toContain('t');
    expect(await loaded(other)).toHaveLength(1);
  });

  it('refuses data of a newer format, and a role that may not create tables', async () => {
    const [one] = await pair();
    const name = `"${schema.replaceAll('"', '""')}"`;
    await postgres.sql(`UPDATE ${name}.head SET format = 9`);
    await expect(one.open(OPEN)).rejects.toThrow('is in format 9, which a newer version has written');
    await postgres.sql('CREATE ROLE poor LOGIN');
    const poor = driver({ url: postgres.url.replace('postgres@', 'poor@'), schema: 'elsewhere' });
    await expect(poor.open(OPEN)).rejects.toThrow(/permission denied.*"kindforge storage schema postgres" prints/);
    await expect(poor.open({ ...OPEN, readOnly: true })).rejects.toThrow('has no data of Kindforge');
  });
});

async function* objects(count: number) {
  for (let index = 0; index < count; index++) yield { key: `/a/b/${index}`, object: encoded(String(index)) };
}

async function* failing() {
  yield { key: '/a/b/c', object: encoded('c') };
  throw new Error('the source has failed');
}
