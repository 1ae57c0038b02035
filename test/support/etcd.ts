/** Starts etcd for tests: one member or a cluster, on free loopback ports, with its data in a temporary folder. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '../../runtime/storage/etcd/connection.js';
import { status } from '../../runtime/storage/etcd/messages.js';
import { freePorts } from './local-server.js';

/** Whether etcd is installed; Debian has it in `etcd-server`. */
export const hasEtcd = spawnSync('etcd', ['--version']).status === 0;

/** For the names of tests that need it. */
export const etcdOrWhyNot = hasEtcd ? 'etcd' : 'etcd (skipped: the program etcd is not installed)';

export interface EtcdMember {
  /** As in `http://127.0.0.1:2379`. */
  readonly endpoint: string;
  /** Kills the member like a crash, and waits until it has ended. */
  kill(): Promise<void>;
  /** Starts the member again on its data, and waits until it answers. */
  restart(): Promise<void>;
  /** Whether the member runs. A member ends by itself if its disk is full. */
  readonly isRunning: boolean;
  /** Pauses the member without ending its connections. */
  pause(): void;
  resume(): void;
}

export interface EtcdCluster {
  readonly members: readonly EtcdMember[];
  readonly endpoints: readonly string[];
  /** Ends all members and removes their data. */
  dispose(): Promise<void>;
}

export interface EtcdOptions {
  readonly members?: number;
  /** Further flags for each member. */
  readonly flags?: readonly string[];
  /** Serves clients over TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Machines for the members, one each. By default, all members run on this machine. */
  readonly machines?: readonly Machine[];
  /** Hides the members' own errors from standard error. */
  readonly quiet?: boolean;
  /** Returns the data folder of a member, by its number. By default, each member has a temporary folder. */
  readonly dataOf?: (index: number) => string | undefined;
}

/** The machine that a member runs on. */
export interface Machine {
  readonly address: string;
  /** A program and arguments that run another program on the machine. */
  readonly run: readonly string[];
}

/** Resolves when all members answer. */
export async function startEtcd(options: EtcdOptions = {}): Promise<EtcdCluster> {
  const { members: size = 1, flags = [], tls, machines = [], dataOf, quiet = false } = options;
  const folder = await mkdtemp(join(tmpdir(), 'kindforge-etcd-'));
  const ports = await freePorts(size * 2);
  const scheme = tls ? 'https' : 'http';
  const plan = Array.from({ length: size }, (_, index) => {
    const { address = '127.0.0.1', run = [] } = machines[index] ?? {};
    return {
      name: `m${index}`,
      client: `${scheme}://${address}:${ports[index * 2]}`,
      peer: `http://${address}:${ports[index * 2 + 1]}`,
      data: dataOf?.(index) ?? join(folder, `m${index}`),
      run,
    };
  });
  const cluster = plan.map(({ name, peer }) => `${name}=${peer}`).join(',');
  const members = plan.map(
    ({ name, client, peer, data, run }) =>
      new Member(client, quiet, [
        ...[...run, 'etcd', '--name', name, '--data-dir', data, '--logger', 'zap', '--log-level', 'error'],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer, '--initial-cluster', cluster],
        // No test is about the disk here.
        ...['--heartbeat-interval', '50', '--election-timeout', '500', '--max-request-bytes', '8000000'],
        ...(tls ? ['--cert-file', tls.cert, '--key-file', tls.key] : []),
        ...flags,
      ]),
  );
  await Promise.all(members.map((member) => member.start(tls === undefined)));
  return {
    members,
    endpoints: plan.map(({ client }) => client),
    async dispose() {
      await Promise.all(members.map((member) => member.kill()));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

class Member implements EtcdMember {
  #process: ChildProcess | undefined;

  constructor(
    readonly endpoint: string,
    readonly quiet: boolean,
    readonly command: readonly string[],
  ) {}

  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  async start(probe: boolean): Promise<void> {
    const [program = '', ...flags] = this.command;
    this.#process = spawn(program, flags, { stdio: ['ignore', 'ignore', this.quiet ? 'ignore' : 'inherit'] });
    if (probe) await untilAnswering(this.endpoint);
  }

  async kill(): Promise<void> {
    const process = this.#process;
    if (!process || process.exitCode !== null || process.signalCode !== null) return;
    const gone = once(process, 'exit');
    process.kill('SIGKILL');
    await gone;
  }

  restart(): Promise<void> {
    return this.start(true);
  }

  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }
}

async function untilAnswering(endpoint: string): Promise<void> {
  const connection = new Connection({ endpoints: [endpoint] });
  try {
    for (let attempt = 0; ; attempt++) {
      try {
        await connection.ask(status, {}, { withinMs: 1000, repeatable: true });
        return;
      } catch (error) {
        if (attempt === 30) throw error;
        await sleep(100);
      }
    }
  } finally {
    connection.close();
  }
}

/** Adds a user with all rights to a cluster, and requires passwords from then on. */
export async function enableEtcdUsers(
  { endpoints: [endpoint = ''] }: EtcdCluster,
  { name, password }: { readonly name: string; readonly password: string },
): Promise<void> {
  // Administration is not part of the store, so it uses the HTTP gateway of etcd.
  for (const [path, body] of [
    ['user/add', { name, password }],
    ['role/add', { name: 'root' }],
    ['user/grant', { user: name, role: 'root' }],
    ['enable', {}],
  ] as const) {
    const answer = await fetch(`${endpoint}/v3/auth/${path}`, { method: 'POST', body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  }
}

/** A connection to a member that tests can cut. */
export interface Wire {
  readonly endpoint: string;
  /** Breaks all connections, and refuses new ones until `mend` is called. */
  cut(): void;
  mend(): void;
  /** Loses all bytes that the member sends over the present connections, until they are cut. */
  deafen(): void;
  /** Delays all bytes by so many milliseconds, in both directions. */
  slow(ms: number): void;
  /**
   * Delays all later connections except the next one. A store uses the next one for its calls, and another for its
   * watch.
   */
  slowLater(ms: number): void;
  close(): Promise<void>;
}

/** Puts a wire in front of a member, or of the address that `target` returns for each new connection. */
export async function wireTo(target: string | (() => string)): Promise<Wire> {
  const sockets = new Set<Socket>();
  const answers = new Set<Socket>();
  let isCut = false;
  let delayMs = 0;
  let laterMs = 0;
  let isNext = false;
  const server = createServer((near) => {
    if (isCut) {
      near.destroy();
      return;
    }
    const { hostname, port } = new URL(typeof target === 'string' ? target : target());
    const far = connect(Number(port), hostname);
    const isLater = laterMs > 0 && !isNext;
    isNext = false;
    answers.add(far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
      from.pipe(delaying(() => Math.max(delayMs, isLater ? laterMs : 0))).pipe(to);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    answers.clear();
  };
  return {
    endpoint: `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`,
    cut,
    mend() {
      isCut = false;
    },
    deafen() {
      for (const far of answers.keys()) far.unpipe().resume();
    },
    slow(ms) {
      delayMs = ms;
    },
    slowLater(ms) {
      laterMs = ms;
      isNext = true;
    },
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Makes a stream that passes on each piece after a delay, in the same order. */
const delaying = (delayMs: () => number): Transform =>
  new Transform({
    transform(chunk, _encoding, done) {
      const ms = delayMs();
      if (ms === 0) done(null, chunk);
      else setTimeout(() => done(null, chunk), ms);
    },
  });
