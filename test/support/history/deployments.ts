/** Deployments to record histories on: servers and their storage. They kill each part and start it again. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEtcd } from '../etcd.js';
import { childrenOf, isThere } from '../processes.js';
import { type ServerProcess, spawnCommand, startServerProcess } from '../server-process.js';
import { pick } from './scene.js';

export interface Deployment {
  /** Returns the present addresses of the servers. */
  urls(): readonly string[];
  /** Kills some part like a crash, and resolves when the part runs again. */
  disturb(): Promise<void>;
  /** Removes all parts. Resolves to the errors that servers have printed. */
  dispose(): Promise<string>;
}

export type Deploy = () => Promise<Deployment>;

/** A server that is killed and started again, or frozen for a while. */
export class Mortal {
  url: string | undefined;
  errors = '';
  #process: ServerProcess | undefined;

  constructor(readonly flags: readonly string[]) {}

  async start(): Promise<void> {
    this.#process = await startServerProcess(...this.flags);
    this.url = this.#process.url;
  }

  async kill(): Promise<void> {
    const ended = this.#process?.end('SIGKILL');
    this.url = undefined;
    this.errors += (await ended)?.err ?? '';
  }

  /**
   * Sends a signal to one of the processes that the server has started. Returns a function that lets the process
   * continue.
   */
  async signalChild(signal: NodeJS.Signals): Promise<() => Promise<void>> {
    const children = childrenOf(this.#process?.pid ?? 0);
    const child = children[Math.floor(Math.random() * children.length)];
    if (child !== undefined) process.kill(child, signal);
    return async () => void (child !== undefined && isThere(child) && process.kill(child, 'SIGCONT'));
  }

  /** Freezes the server for so many milliseconds. It does not notice. */
  async freeze(ms: number): Promise<void> {
    const { pid } = this.#process ?? {};
    if (pid === undefined) return;
    process.kill(pid, 'SIGSTOP');
    await sleep(ms);
    process.kill(pid, 'SIGCONT');
  }

  /** Kills the server and starts it again. Now and then kills it before it is ready. */
  async restart(): Promise<void> {
    await this.kill();
    if (Math.random() < 0.15) {
      const { child, ended } = spawnCommand(
        'serve',
        '--http-port',
        'auto',
        '--secure-port',
        '0',
        '--allow-everyone',
        ...this.flags,
      );
      await sleep(Math.random() * 250);
      child.kill('SIGKILL');
      this.errors += (await ended).err;
    }
    await this.start();
  }
}

export const flagsFor = (storage: string): readonly string[] => ['--storage', storage, '--controllers', 'none'];

/** Starts one server on a folder of its own. `storage` makes the flag of the folder. */
export const onFolder =
  (storage: (folder: string) => string): Deploy =>
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kindforge-history-'));
    const server = new Mortal(flagsFor(storage(join(folder, 'data'))));
    await server.start();
    return {
      urls: () => (server.url === undefined ? [] : [server.url]),
      disturb: () => server.restart(),
      async dispose() {
        await server.kill();
        await rm(folder, { recursive: true, force: true });
        return server.errors;
      },
    };
  };

/** Starts a server with four workers on a folder. Kills of workers, frozen workers, and kills of the owner take turns. */
export const onWorkers: Deploy = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kindforge-history-'));
  const server = new Mortal([...flagsFor(`lmdb:${join(folder, 'data')}`), '--workers', '4']);
  await server.start();
  const disturbances = [
    () => server.signalChild('SIGKILL'),
    () => server.signalChild('SIGKILL'),
    async () => {
      const resume = await server.signalChild('SIGSTOP');
      await sleep(Math.random() * 1000);
      await resume();
    },
    () => server.restart(),
  ] as const;
  let round = 0;
  return {
    urls: () => (server.url === undefined ? [] : [server.url]),
    async disturb() {
      await disturbances[round % disturbances.length]?.();
      round++;
    },
    async dispose() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
      return server.errors.replace(
        /^kindforge: worker \d+ (?:has ended|does not start): signal SIGKILL; it is started again\n/gm,
        '',
      );
    },
  };
};

/** Starts three servers over an etcd of so many members. By default, kills members too. */
export const onEtcd =
  (members: number, { membersToo = true } = {}): Deploy =>
  async () => {
    const etcd = await startEtcd({ members });
    const storage = `etcd:${etcd.endpoints.join(',')}`;
    const servers = [1, 2, 3].map(() => new Mortal(flagsFor(storage)));
    await Promise.all(servers.map((server) => server.start()));
    const [first, ...others] = [
      ...servers.map((server) => () => server.restart()),
      ...(membersToo ? etcd.members.map(restartOf) : []),
    ];
    return {
      urls: () => servers.flatMap(({ url }) => (url === undefined ? [] : [url])),
      disturb: () => (first ? pick([first, ...others])() : Promise.resolve()),
      async dispose() {
        await Promise.all(servers.map((server) => server.kill()));
        await etcd.dispose();
        return servers.map(({ errors }) => errors).join('');
      },
    };
  };

const restartOf = (member: { kill(): Promise<void>; restart(): Promise<void> }) => async (): Promise<void> => {
  await member.kill();
  await sleep(Math.random() * 500);
  await member.restart();
};
