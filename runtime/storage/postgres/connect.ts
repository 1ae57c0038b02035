/** Connects to the first suitable host. */
import { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Client } from 'pg';
import { DriverError } from '../shared/errors.js';
import { isRefusedWay, toProblem } from './errors.js';
import { micros } from './functions.js';
import type { Host, Target } from './target.js';

/** A connection, and what is needed to end it at once. */
export interface Link {
  readonly client: Client;
  readonly socket: Socket;
  /** The address of the server. */
  readonly place: string;
  /** The condition for the server's process in `pg_stat_activity`; absent if this server cannot end that process. */
  readonly process?: string | undefined;
  /** The reason why the standbys may lack the last change, if there is one. */
  doubt?: string | undefined;
}

const OLDEST_VERSION = 130_000;

/** The reason in errors after a time limit. */
export const TOO_LATE = 'it has not answered in time';

/** Tries all hosts, beginning with the host at index `first`. Rejects with a `DriverError`. */
export async function connect(target: Target, first: number, withinMs: number): Promise<Link> {
  const { hosts } = target;
  const until = performance.now() + withinMs;
  const errors: DriverError[] = [];
  for (let index = 0; index < hosts.length; index++) {
    const host = hosts[(first + index) % hosts.length];
    if (!host) break;
    const left = until - performance.now();
    if (left <= 0) break;
    try {
      return await connectTo(host, target, Math.min(left, target.connectTimeoutMs));
    } catch (error) {
      errors.push(toProblem(error, 'connecting', placeOf(host)));
    }
  }
  const passing = errors.find(({ problem }) => problem === 'unsent');
  const messages = errors.map(({ message }) => message).join('; ');
  throw new DriverError(
    passing || errors.length === 0 ? 'unsent' : 'refused',
    messages || `PostgreSQL at ${hosts.map(placeOf).join(', ')}: ${TOO_LATE}`,
  );
}

/** Returns the address of a host, for messages. */
export const placeOf = ({ host, port }: Host): string => (host.startsWith('/') ? host : `${host}:${port}`);

/** Tries the ways of connecting that the security options allow, in order. */
async function connectTo(host: Host, target: Target, withinMs: number): Promise<Link> {
  const { ways } = target.security;
  const possible = host.host.startsWith('/') ? [undefined] : ways;
  for (const [index, tls] of possible.entries()) {
    try {
      return await open(host, target, tls, withinMs);
    } catch (error) {
      if (!isRefusedWay(error) || index === possible.length - 1) throw error;
    }
  }
  throw new DriverError('refused', 'no way to connect is allowed');
}

async function open(host: Host, target: Target, tls: ConnectionOptions | undefined, withinMs: number): Promise<Link> {
  const { Client } = await loaded();
  const socket = new Socket();
  const { user, database, applicationName, options, keepAliveMs, security } = target;
  const client = new Client({
    host: host.host,
    port: host.port,
    user,
    database,
    password: () => passwordOf(host, user),
    ssl: tls ?? false,
    ...(tls && { sslnegotiation: security.negotiation, enableChannelBinding: true }),
    application_name: applicationName,
    ...(options === undefined ? {} : { options }),
    connectionTimeoutMillis: Math.max(1, Math.floor(withinMs)),
    ...(keepAliveMs === undefined ? {} : { keepAlive: true, keepAliveInitialDelayMillis: keepAliveMs }),
    stream: () => socket,
  });
  // No other code handles errors that come after the connection is made.
  client.on('error', () => {});
  const timer = setTimeout(() => socket.destroy(new Error(TOO_LATE)), withinMs);
  try {
    await client.connect();
    await probe(client, target);
    return { client, socket, place: placeOf(host), process: await processOf(client).catch(() => undefined) };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function passwordOf({ password }: Host, user: string): string {
  if (password !== undefined) return password;
  const message = `the server asks for a password, and there is none for "${user}": set PGPASSWORD, or PGPASSFILE to a file that only its owner can read`;
  throw new DriverError('refused', message);
}

/** Checks whether the server is suitable. */
async function probe(client: Client, { anySession }: Target): Promise<void> {
  const { rows } = await client.query<string[]>({ text: PROBE, rowMode: 'array' });
  const [version = '', readOnly, isolation, name = ''] = rows[0] ?? [];
  if (Number(version) < OLDEST_VERSION) {
    throw new DriverError('refused', `PostgreSQL ${name} is too old; version 13 or later is needed`);
  }
  if (readOnly === 'on' && !anySession) {
    throw new DriverError('unsent', 'the server only reads: it is a standby, or default_transaction_read_only is set');
  }
  // In a stricter level, changes of other servers would make this server's changes fail.
  if (isolation !== 'read committed') {
    await client.query('SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED');
  }
}

const PROBE = `SELECT current_setting('server_version_num'), current_setting('transaction_read_only'),
  current_setting('default_transaction_isolation'), current_setting('server_version')`;

/** Resolves to `Link.process`. Rejects if the role may not read what it needs. */
async function processOf(client: Client): Promise<string | undefined> {
  const { rows } = await client.query<string[]>({ text: PROCESS, rowMode: 'array' });
  const [id, began] = rows[0] ?? [];
  // A pooler gives its clients ids of its own, and may lead each transaction to another process.
  const isDirect = 'processID' in client && String(client.processID) === id;
  return isDirect ? `(pid = ${id} AND ${micros('backend_start')} = ${began})` : undefined;
}

const PROCESS = `SELECT pid::text, ${micros('backend_start')}::text FROM pg_stat_activity
  WHERE pid = pg_backend_pid() AND has_function_privilege('pg_terminate_backend'::regproc, 'EXECUTE')`;

/** Loads the client. The package may not be installed. */
async function loaded(): Promise<Pick<typeof import('pg'), 'Client'>> {
  try {
    return await import('pg');
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new DriverError('refused', `the package "pg" is needed for PostgreSQL: npm install pg (${said})`);
  }
}
