/** Three servers over one PostgreSQL, with every fault that PostgreSQL may have. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Wire, wireTo } from '../etcd.js';
import { type PostgresServer, type PostgresStandby, startPostgres } from '../postgres.js';
import { type Deploy, type Deployment, flagsFor, Mortal } from './deployments.js';
import { pick } from './scene.js';

/** Returns how long a fault lasts, in milliseconds. */
const lasting = (): number => 200 + Math.random() * 1500;

const randomly = (ms: number): Promise<void> => sleep(Math.random() * ms);

/** Room for the data, and for several log files of 16 MB each. */
const diskBytes = 320;
const settings = { max_wal_size: '64MB', min_wal_size: '32MB' };

/** The message of a server that hears nothing from PostgreSQL, for example while PostgreSQL is frozen. */
const UNHEARD = /^kindforge: PostgreSQL does not carry notifications .*\n/gm;

/** Mounts a small disk on a folder. Only root may do this. */
const mount = (folder: string): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}m`, 'tmpfs', folder]).status === 0;

/** Starts it with its data on a disk that gets full, if this process may mount disks. */
export const onPostgres: Deploy = async () => {
  const disk = mkdtempSync(join(tmpdir(), 'kindforge-postgres-disk-'));
  const isDisk = mount(disk);
  const data = join(disk, 'data');
  mkdirSync(data);
  const postgres = await startPostgres(isDisk ? { data, settings } : {});
  const faults = [
    () => crash(postgres),
    () => stopAtOnce(postgres),
    () => killBackend(postgres),
    () => freeze(postgres),
    ...(isDisk ? [() => fillUp(join(disk, 'filler'), postgres)] : []),
  ];
  return deploy([() => addressOf(postgres)], faults, async () => {
    await postgres.dispose();
    // Lazily, because a killed process may still have the disk for a moment.
    if (isDisk) spawnSync('umount', ['--lazy', disk]);
    rmSync(disk, { recursive: true, force: true });
  });
};

/** Starts it with a synchronous standby. The standby takes over again and again, and each time gets a new standby. */
export const onPostgresWithStandby: Deploy = async () => {
  const ended: PostgresServer[] = [];
  let primary: PostgresServer = await startPostgres();
  let standby = await addStandby(primary);
  const promote = async (): Promise<void> => {
    if (!(await isInSync(primary))) return;
    const lost = primary;
    await lost.kill();
    await randomly(500);
    await standby.promote();
    primary = standby;
    ended.push(lost);
    // The new primary has the setting of the old one, but does not have a standby to wait for.
    await primary.sql('ALTER SYSTEM RESET synchronous_standby_names; SELECT pg_reload_conf()');
    standby = await addStandby(primary);
  };
  const faults = [promote, promote, promote, () => crash(primary), () => freeze(primary), () => crash(standby)];
  const addresses = [() => addressOf(primary), () => addressOf(standby)];
  return deploy(addresses, faults, async () => {
    for (const server of [standby, primary, ...ended]) await server.dispose();
  });
};

const addressOf = ({ port }: PostgresServer): string => `http://127.0.0.1:${port}`;

/** Starts the servers. Each has its own wires to the addresses, so that faults can cut them. */
async function deploy(
  addresses: readonly (() => string)[],
  faults: readonly (() => Promise<void>)[],
  dispose: () => Promise<void>,
): Promise<Deployment> {
  const ways = await Promise.all([1, 2, 3].map(() => Promise.all(addresses.map((address) => wireTo(address)))));
  const wires = ways.flat();
  const servers = ways.map((own) => {
    const hosts = own.map(({ endpoint }) => new URL(endpoint).host);
    return new Mortal(flagsFor(`postgres://postgres@${hosts.join(',')}/postgres`));
  });
  await Promise.all(servers.map((server) => server.start()));
  const [one, ...others] = [
    ...servers.flatMap((server) => [() => server.restart(), () => server.freeze(lasting())]),
    ...wires.map((wire) => () => breakOff(wire)),
    // These happen as often as all other faults together.
    ...faults.flatMap((fault) => [fault, fault]),
  ];
  return {
    urls: () => servers.flatMap(({ url }) => (url === undefined ? [] : [url])),
    disturb: () => (one ? pick([one, ...others])() : Promise.resolve()),
    async dispose() {
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all(wires.map((wire) => wire.close()));
      await dispose();
      return servers.map(({ errors }) => errors.replace(UNHEARD, '')).join('');
    },
  };
}

async function crash(postgres: PostgresServer): Promise<void> {
  await postgres.kill();
  await randomly(500);
  await postgres.restart();
}

async function stopAtOnce(postgres: PostgresServer): Promise<void> {
  await postgres.stopAtOnce();
  await randomly(500);
  await postgres.restart();
}

/** Kills the process of one connection. PostgreSQL then ends all other connections, and recovers by itself. */
async function killBackend(postgres: PostgresServer): Promise<void> {
  const found = await postgres.sql(
    `SELECT pid FROM pg_stat_activity WHERE application_name = 'kindforge' ORDER BY random() LIMIT 1`,
  );
  if (found !== '') process.kill(Number(found), 'SIGKILL');
  await untilAnswering(postgres);
}

async function freeze(postgres: PostgresServer): Promise<void> {
  postgres.pause();
  await sleep(lasting());
  postgres.resume();
}

/** Breaks the connections of a server. Sometimes loses the last answers. */
async function breakOff(wire: Wire): Promise<void> {
  if (Math.random() < 0.5) {
    wire.deafen();
    await randomly(300);
  }
  wire.cut();
  await randomly(500);
  wire.mend();
}

/** Fills the disk until PostgreSQL refuses changes or ends, and starts it again when there is room. */
async function fillUp(filler: string, postgres: PostgresServer): Promise<void> {
  try {
    writeFileSync(filler, Buffer.alloc(diskBytes * 1024 * 1024));
  } catch {
    // Now it is full.
  }
  await sleep(lasting());
  rmSync(filler, { force: true });
  await untilAnswering(postgres);
}

/** Waits until it recovers, and starts it again if it has ended. */
async function untilAnswering(postgres: PostgresServer): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (!postgres.isRunning) return postgres.restart();
    try {
      await postgres.sql('SELECT 1');
      return;
    } catch {
      await sleep(50);
    }
  }
  throw new Error('PostgreSQL does not recover');
}

/** Starts a standby. From then on, the primary acknowledges nothing that the standby has not stored. */
async function addStandby(primary: PostgresServer): Promise<PostgresStandby> {
  const standby = await primary.standby();
  await primary.sql(`ALTER SYSTEM SET synchronous_standby_names = '*'; SELECT pg_reload_conf()`);
  return standby;
}

/** Checks that the standby has every revision that a client has seen. */
async function isInSync(primary: PostgresServer): Promise<boolean> {
  const states = await primary.sql(`SELECT state || ' ' || sync_state FROM pg_stat_replication`);
  return states === 'streaming sync';
}
