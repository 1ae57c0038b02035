/** Three servers over three members of etcd on machines of their own, with every fault that etcd may have. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EtcdMember, type Machine, startEtcd, type Wire, wireTo } from '../etcd.js';
import { type Deploy, flagsFor, Mortal } from './deployments.js';
import { pick } from './scene.js';

// Machines are network namespaces of Linux with a network between them. Only root may make them. Each can be cut off.

/** A machine that can be cut off. */
interface Networked extends Machine {
  /** Loses all packets to and from the machine, without an error to anyone. */
  cut(): void;
  mend(): void;
}

interface Network {
  readonly machines: readonly Networked[];
  /** Removes the machine. Its processes must have ended. */
  close(): void;
}

const ip = (...args: string[]): boolean => spawnSync('ip', args).status === 0;

/** Whether this process may make machines. */
const hasMachines = ((): boolean => {
  const name = `kf${process.pid}probe`;
  const bridge = `kf${process.pid % 100_000}p`;
  const works = ip('netns', 'add', name) && ip('link', 'add', bridge, 'type', 'bridge');
  ip('link', 'del', bridge);
  ip('netns', 'del', name);
  return works;
})();

/** Opens the network. This machine is on it, too. */
function openNetwork(size: number): Network {
  const id = `kf${randomInt(0x1000000).toString(16)}`;
  const net = `10.${randomInt(64, 128)}.${randomInt(256)}`;
  const need = (...args: string[]): void => {
    const { status, stderr } = spawnSync('ip', args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`ip ${args.join(' ')}: ${stderr}`);
  };
  need('link', 'add', id, 'type', 'bridge');
  need('addr', 'add', `${net}.254/24`, 'dev', id);
  need('link', 'set', id, 'up');
  const machines = Array.from({ length: size }, (_, index): Networked => {
    const [space, near] = [`${id}n${index}`, `${id}v${index}`];
    const address = `${net}.${index + 1}`;
    need('netns', 'add', space);
    need('link', 'add', near, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    need('link', 'set', near, 'master', id, 'up');
    for (const command of ['addr add ADDRESS/24 dev eth0', 'link set eth0 up', 'link set lo up'])
      need('-n', space, ...command.replace('ADDRESS', address).split(' '));
    return {
      address,
      run: ['ip', 'netns', 'exec', space],
      cut: () => need('link', 'set', near, 'down'),
      mend: () => need('link', 'set', near, 'up'),
    };
  });
  return {
    machines,
    close() {
      for (const index of machines.keys()) {
        ip('link', 'del', `${id}v${index}`);
        ip('netns', 'del', `${id}n${index}`);
      }
      ip('link', 'del', id);
    },
  };
}

/** The number of changes that etcd keeps at a compaction. A client that is further behind must list again. */
const keptRevisions = 300;

/** Returns how long a fault lasts, in milliseconds. An election takes 500 to 1,000. */
const lasting = (): number => 200 + Math.random() * 1500;

/** Room for two logs of etcd and little more. A log has 64 MB from the start. */
const diskBytes = 160;

const disk = mkdtempSync(join(tmpdir(), 'kindforge-etcd-disk-'));
const mount = (): boolean =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}m`, 'tmpfs', disk]).status === 0;
const canMount = mount() && spawnSync('umount', [disk]).status === 0;
rmSync(disk, { recursive: true, force: true });

/** The reason that this deployment is not available here; empty if it is available. */
export const noRoughDeployment =
  hasMachines && canMount ? '' : ' (skipped: neither network namespaces nor file systems can be made here)';

export const onRoughEtcd: Deploy = async () => {
  const network = openNetwork(3);
  const full = mkdtempSync(join(tmpdir(), 'kindforge-etcd-disk-'));
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}m`, 'tmpfs', full]);
  const { machines } = network;
  const dataOf = (index: number): string | undefined => (index === 0 ? join(full, 'data') : undefined);
  const etcd = await startEtcd({ members: 3, machines, dataOf, quiet: true });
  const wires = await Promise.all(etcd.endpoints.map(wireTo));
  const storage = `etcd:${wires.map(({ endpoint }) => endpoint).join(',')}`;
  const servers = [1, 2, 3].map(() => new Mortal(flagsFor(storage)));
  await Promise.all(servers.map((server) => server.start()));
  const [member] = etcd.members;
  const [first, ...others] = [
    ...servers.flatMap((server) => [() => server.restart(), () => server.freeze(lasting())]),
    ...etcd.members.flatMap((one) => [() => restart(one), () => freeze(one)]),
    ...machines.map((machine) => () => cutOff(machine)),
    ...[wires.slice(0, 1), wires].map((some) => () => slowDown(some)),
    ...wires.map((wire) => () => breakOff(wire)),
    () => compact(etcd.endpoints),
    ...etcd.endpoints.map((endpoint) => () => defragment(endpoint)),
    ...(member ? [() => fillUp(join(full, 'filler'), member)] : []),
  ];
  return {
    urls: () => servers.flatMap(({ url }) => (url === undefined ? [] : [url])),
    disturb: () => (first ? pick([first, ...others])() : Promise.resolve()),
    async dispose() {
      await Promise.all(servers.map((server) => server.kill()));
      await Promise.all(wires.map((wire) => wire.close()));
      await etcd.dispose();
      network.close();
      spawnSync('umount', [full]);
      rmSync(full, { recursive: true, force: true });
      return servers.map(({ errors }) => errors).join('');
    },
  };
};

async function restart(member: EtcdMember): Promise<void> {
  await member.kill();
  await sleep(Math.random() * 500);
  await member.restart();
}

async function freeze(member: EtcdMember): Promise<void> {
  member.pause();
  await sleep(lasting());
  member.resume();
}

/** Cuts a machine off from the servers and the other members for a while. */
async function cutOff(machine: Networked): Promise<void> {
  machine.cut();
  await sleep(lasting());
  machine.mend();
}

async function slowDown(wires: readonly Wire[]): Promise<void> {
  const ms = 10 + Math.random() * 100;
  for (const wire of wires) wire.slow(ms);
  await sleep(lasting());
  for (const wire of wires) wire.slow(0);
}

/** Breaks the connections of servers. Loses the last answers on some connections. */
async function breakOff(wire: Wire): Promise<void> {
  if (Math.random() < 0.5) {
    wire.deafen();
    await sleep(Math.random() * 300);
  }
  wire.cut();
  await sleep(Math.random() * 500);
  wire.mend();
}

/** Makes etcd forget all but the last changes. Stopped and unreachable members learn of this later. */
async function compact(endpoints: readonly string[]): Promise<void> {
  for (const endpoint of endpoints) {
    try {
      const { header } = await post(endpoint, 'kv/range', { key: 'AA==' });
      const revision = Number(header?.revision ?? 0) - keptRevisions;
      if (revision > 0) await post(endpoint, 'kv/compaction', { revision: String(revision) });
      return;
    } catch {
      // Another member may answer.
    }
  }
}

/** Makes a member rewrite its file. The member does nothing else meanwhile. */
async function defragment(endpoint: string): Promise<void> {
  await post(endpoint, 'maintenance/defragment', {}).catch(() => {});
}

/** Sends a request to the HTTP gateway of etcd, because administration is not part of the store. */
async function post(endpoint: string, path: string, body: object) {
  const signal = AbortSignal.timeout(2000);
  const answer = await fetch(`${endpoint}/v3/${path}`, { method: 'POST', body: JSON.stringify(body), signal });
  return JSON.parse(await answer.text());
}

/** Fills the disk of a member until it ends, and starts the member again when there is room. */
async function fillUp(filler: string, member: EtcdMember): Promise<void> {
  try {
    writeFileSync(filler, Buffer.alloc(diskBytes * 1024 * 1024));
  } catch {
    // Now it is full.
  }
  await sleep(lasting());
  rmSync(filler, { force: true });
  if (!member.isRunning) await member.restart();
}
