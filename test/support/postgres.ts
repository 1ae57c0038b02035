/** Starts PostgreSQL for tests on a free loopback port, with its data in a temporary folder. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, chown, copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './local-server.js';

/** The folder of PostgreSQL's programs: `KINDFORGE_POSTGRES`, or the newest version that Debian has installed. */
const programs = process.env.KINDFORGE_POSTGRES ?? newestPrograms();

export { programs as postgresPrograms };

/** Whether PostgreSQL is installed and this user can start it. */
export const hasPostgres = programs !== undefined && (process.getuid?.() !== 0 || idOf('-u') !== undefined);

/** For the names of tests that need it. */
export const postgresOrWhyNot = hasPostgres ? 'PostgreSQL' : 'PostgreSQL (skipped: it is not installed)';

export interface PostgresOptions {
  /** More settings, as in `postgresql.conf`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The password that users must give. By default, they do not need a password. */
  readonly password?: string;
  /** The files of a certificate and its key. With these, connections may use TLS. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** More variables of the server's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The folder for the data. It must exist and be empty. A temporary folder by default. */
  readonly data?: string;
}

export interface PostgresServer {
  readonly port: number;
  /** The connection URL of the superuser `postgres`, with the password if there is one. */
  readonly url: string;
  /** The folder of the data. */
  readonly data: string;
  /** Whether the server runs. */
  readonly isRunning: boolean;
  /** Runs statements as superuser, and resolves to what `psql` prints without headers. */
  sql(statements: string): Promise<string>;
  /**
   * Stops the server as `pg_ctl stop -m immediate` does: connections end with a message, and the next start recovers.
   */
  stopAtOnce(): Promise<void>;
  /** Kills all processes of the server like a crash, and waits until they have ended. */
  kill(): Promise<void>;
  /** Starts the server again on its data, and waits until it answers. */
  restart(): Promise<void>;
  /** Pauses all processes of the server, without ending their connections. */
  pause(): void;
  resume(): void;
  /** Starts a standby that follows this server. */
  standby(settings?: Readonly<Record<string, string>>): Promise<PostgresStandby>;
  /** Ends the server and removes its data; its standbys must be ended before. */
  dispose(): Promise<void>;
}

export interface PostgresStandby extends PostgresServer {
  /** Makes the standby a primary, and waits until it accepts writes. */
  promote(): Promise<void>;
}

/**
 * Starts a new server. It does not wait for the disk: the operating system keeps the data of a killed process, and no
 * test is about a lost disk.
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const { password, settings = {}, tls, environment = {} } = options;
  const folder = await ownFolder();
  const data = options.data ?? join(folder, 'data');
  if (options.data !== undefined) await give(options.data);
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, `${password ?? 'unused'}\n`, { mode: 0o600 });
  await give(passwordFile);
  run('initdb', [
    ...['--pgdata', data, '--username', 'postgres', '--encoding', 'UTF8', '--locale', 'C.UTF-8', '--no-sync'],
    ...['--auth', password === undefined ? 'trust' : 'scram-sha-256', '--pwfile', passwordFile],
  ]);
  const server = new Server(folder, data, await freePort(), {
    password,
    environment,
    settings: { ...(tls && (await installed(tls, folder))), ...settings },
  });
  await server.restart();
  return server;
}

interface ServerOptions {
  readonly password: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, string>>;
}

class Server implements PostgresStandby {
  readonly url: string;
  #process: ChildProcess | undefined;
  #paused: readonly number[] = [];

  constructor(
    readonly folder: string,
    readonly data: string,
    readonly port: number,
    readonly options: ServerOptions,
  ) {
    const { password } = options;
    this.url = `postgres://postgres${password === undefined ? '' : `:${encodeURIComponent(password)}`}@127.0.0.1:${port}/postgres`;
  }

  get isRunning(): boolean {
    return this.#process?.exitCode === null && this.#process.signalCode === null;
  }

  async restart(): Promise<void> {
    const settings: Readonly<Record<string, string>> = {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      unix_socket_directories: this.folder,
      fsync: 'off',
      shared_buffers: '64MB',
      log_min_messages: 'fatal',
      ...this.options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const env = { ...process.env, ...this.options.environment };
    this.#process = spawn(program('postgres'), ['-D', this.data, ...flags], {
      stdio: 'ignore',
      env,
      ...unprivileged(),
    });
    for (let attempt = 0; ; attempt++) {
      if (run('pg_isready', ['-h', this.folder, '-p', String(this.port), '-q'], [0, 1, 2]) === 0) return;
      if (attempt === 300 || !this.isRunning) throw new Error('PostgreSQL does not start');
      await sleep(50);
    }
  }

  async sql(statements: string): Promise<string> {
    const flags = ['--no-psqlrc', '--quiet', '--tuples-only', '--no-align', '--set', 'ON_ERROR_STOP=1'];
    const child = spawn(program('psql'), [...flags, this.url], { stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.stdin.end(statements);
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(errors.trim());
    return output.trim();
  }

  async stopAtOnce(): Promise<void> {
    if (this.isRunning) this.#process?.kill('SIGQUIT');
    await this.#gone();
  }

  async kill(): Promise<void> {
    for (const id of this.#processes()) signal(id, 'SIGKILL');
    await this.#gone();
  }

  async #gone(): Promise<void> {
    if (this.#process && this.isRunning) await once(this.#process, 'exit');
  }

  pause(): void {
    this.#paused = this.#processes();
    for (const id of this.#paused) signal(id, 'SIGSTOP');
  }

  resume(): void {
    for (const id of this.#paused) signal(id, 'SIGCONT');
  }

  /** Returns the ids of all processes of the server. The first one has started the others. */
  #processes(): readonly number[] {
    const id = this.#process?.pid;
    if (id === undefined || !this.isRunning) return [];
    const children = readFileSync(`/proc/${id}/task/${id}/children`, 'utf8').trim().split(' ').map(Number);
    return [id, ...children.filter((child) => child > 0)];
  }

  async standby(settings: Readonly<Record<string, string>> = {}): Promise<PostgresStandby> {
    const folder = await ownFolder();
    const data = join(folder, 'data');
    // A copy at one moment is a backup. The program pg_basebackup refuses servers of later versions.
    this.pause();
    spawnSync('cp', ['-a', this.data, data], unprivileged());
    this.resume();
    await rm(join(data, 'postmaster.pid'));
    await writeFile(join(data, 'standby.signal'), '');
    await give(join(data, 'standby.signal'));
    const server = new Server(folder, data, await freePort(), {
      ...this.options,
      settings: { ...this.options.settings, primary_conninfo: this.url, ...settings },
    });
    await server.restart();
    return server;
  }

  async promote(): Promise<void> {
    await this.sql('SELECT pg_promote(true, 30)');
  }

  async dispose(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

function signal(id: number, name: NodeJS.Signals): void {
  try {
    process.kill(id, name);
  } catch {
    // The process has ended.
  }
}

/** Copies a certificate to a folder that the server may read, and returns the settings that use it. */
async function installed(
  { cert, key }: { readonly cert: string; readonly key: string },
  folder: string,
): Promise<Readonly<Record<string, string>>> {
  const paths = { ssl_cert_file: join(folder, 'server.crt'), ssl_key_file: join(folder, 'server.key') };
  for (const [from, to] of [
    [cert, paths.ssl_cert_file],
    [key, paths.ssl_key_file],
  ] as const) {
    await copyFile(from, to);
    await chmod(to, 0o600);
    await give(to);
  }
  return { ssl: 'on', ...paths };
}

/** Makes a temporary folder that the server's user can open. */
export async function ownFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kindforge-postgres-'));
  await give(folder);
  return folder;
}

/** Gives a file or folder to the user that runs PostgreSQL, if this process is root. */
async function give(path: string): Promise<void> {
  const { uid, gid } = unprivileged();
  if (uid !== undefined && gid !== undefined) await chown(path, uid, gid);
}

export function unprivileged(): { readonly uid?: number; readonly gid?: number; readonly cwd?: string } {
  if (process.getuid?.() !== 0) return {};
  const uid = idOf('-u');
  const gid = idOf('-g');
  return uid === undefined || gid === undefined ? {} : { uid, gid, cwd: '/' };
}

function idOf(flag: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' });
  return status === 0 ? Number(stdout) : undefined;
}

/** Runs a program to its end, and returns its exit code. Throws if the code is not allowed. */
function run(name: string, flags: readonly string[], allowed: readonly number[] = [0]): number {
  const { status, stderr } = spawnSync(program(name), flags, { encoding: 'utf8', ...unprivileged() });
  if (status === null || !allowed.includes(status)) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return status;
}

const program = (name: string): string => join(programs ?? '', name);

function newestPrograms(): string | undefined {
  const root = '/usr/lib/postgresql';
  try {
    const [newest] = readdirSync(root).sort((one, other) => Number(other) - Number(one));
    return newest === undefined ? undefined : join(root, newest, 'bin');
  } catch {
    return undefined;
  }
}
