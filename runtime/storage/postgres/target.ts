/** Reads a connection URL and the environment in the same way as libpq. */
import { readFileSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { DriverError } from '../shared/errors.js';
import type { PostgresDriverOptions } from './options.js';
import { passwordIn } from './password-file.js';
import { type Security, type Settings, securityOf } from './security.js';

/** One server to try. If the host begins with a slash, it is the folder of a socket. */
export interface Host {
  readonly host: string;
  readonly port: number;
  readonly password: string | undefined;
}

/** The place of the data, and how to connect to it. */
export interface Target {
  readonly hosts: readonly Host[];
  readonly user: string;
  readonly database: string;
  readonly schema: string;
  readonly security: Security;
  readonly connectTimeoutMs: number;
  readonly applicationName: string;
  /** Settings for the server's session, as in `-c search_path=x`. */
  readonly options: string | undefined;
  /** Set if the server may be one that only reads, such as a standby. */
  readonly anySession: boolean;
  readonly keepAliveMs: number | undefined;
}

/** The environment variables of options. */
const VARIABLES: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  hostaddr: 'PGHOSTADDR',
  port: 'PGPORT',
  dbname: 'PGDATABASE',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  passfile: 'PGPASSFILE',
  service: 'PGSERVICE',
  options: 'PGOPTIONS',
  application_name: 'PGAPPNAME',
  sslmode: 'PGSSLMODE',
  sslnegotiation: 'PGSSLNEGOTIATION',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  sslrootcert: 'PGSSLROOTCERT',
  sslcrl: 'PGSSLCRL',
  ssl_min_protocol_version: 'PGSSLMINPROTOCOLVERSION',
  ssl_max_protocol_version: 'PGSSLMAXPROTOCOLVERSION',
  gssencmode: 'PGGSSENCMODE',
  channel_binding: 'PGCHANNELBINDING',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  client_encoding: 'PGCLIENTENCODING',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
  load_balance_hosts: 'PGLOADBALANCEHOSTS',
  requirepeer: 'PGREQUIREPEER',
  krbsrvname: 'PGKRBSRVNAME',
};

/** Options that exist only in URLs. They have no effect here, or `Target` has them. */
const OTHERS = new Set([
  ...['schema', 'sslpassword', 'sslsni', 'keepalives', 'keepalives_idle', 'keepalives_interval', 'keepalives_count'],
  ...['tcp_user_timeout', 'fallback_application_name', 'sslcompression', 'gsslib', 'gssdelegation'],
]);

const SESSION_KINDS = ['any', 'read-write', 'primary', 'read-only', 'standby', 'prefer-standby'];

/**
 * Reads the options. Throws a `DriverError` for an invalid URL. The error does not contain the URL, which may have a
 * password.
 */
export function targetOf(options: PostgresDriverOptions, anySession: boolean): Target {
  const { environment = process.env } = options;
  const inUrl = parseUrl(options.url);
  const settings: Settings = (option) => {
    const variable = VARIABLES[option];
    return inUrl.get(option) || (variable === undefined ? undefined : environment[variable]) || undefined;
  };
  refuseUnknown(inUrl, settings);
  const user = settings('user') ?? userName();
  const database = settings('dbname') ?? user;
  const attributes = settings('target_session_attrs') ?? 'any';
  const idle = Number(settings('keepalives_idle') ?? 0);
  return {
    hosts: hostsOf(settings, { user, database, password: options.password }),
    user,
    database,
    schema: checkedSchema(options.schema ?? settings('schema') ?? 'kindforge'),
    security: securityOf(settings),
    connectTimeoutMs: Math.min(10, Math.max(0, Number(settings('connect_timeout') ?? 0)) || 5) * 1000,
    applicationName: settings('application_name') ?? settings('fallback_application_name') ?? 'kindforge',
    options: settings('options'),
    anySession: anySession && ['any', 'read-only', 'standby', 'prefer-standby'].includes(attributes),
    keepAliveMs: settings('keepalives') === '0' ? undefined : Math.max(1, idle || 10) * 1000,
  };
}

/** The most bytes of a name. PostgreSQL cuts longer names off, so two schemas could become one. */
const LONGEST_NAME = 63;

function checkedSchema(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST_NAME) return name;
  throw refused(`the schema "${name}" must have at most ${LONGEST_NAME} bytes, as all names in PostgreSQL`);
}

const refused = (message: string): DriverError => new DriverError('refused', message);

const URL_SHAPE = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/** Parses the URL. A URL of libpq may have several hosts, which `URL` does not support. */
function parseUrl(url: string): ReadonlyMap<string, string> {
  const [, login = '', hosts = '', database = '', query = ''] = URL_SHAPE.exec(url) ?? [];
  if (!URL_SHAPE.test(url)) {
    throw refused('the URL of PostgreSQL must look like postgres://user@host:5432/database?schema=kindforge');
  }
  const found = new Map<string, string>();
  const [user = '', ...password] = login.split(':');
  const addresses = hosts === '' ? [] : hosts.split(',').map(addressOf);
  note('user', user);
  note('password', password.join(':'));
  note('host', addresses.map(({ host }) => host).join(','));
  note('port', addresses.some(({ port }) => port) ? addresses.map(({ port }) => port).join(',') : '');
  note('dbname', database);
  for (const pair of query === '' ? [] : query.split('&')) {
    const [name = '', ...value] = pair.split('=');
    note(decoded(name) === 'ssl' && value.join('=') === 'true' ? 'sslmode' : decoded(name), valueIn(pair, value));
  }
  return found;

  function note(option: string, value: string): void {
    if (value !== '') found.set(option, decoded(value));
  }
}

const valueIn = (pair: string, value: readonly string[]): string => (pair === 'ssl=true' ? 'require' : value.join('='));

/** Parses a host, as in `db.example.com:5432` or `[::1]:5432`. */
function addressOf(text: string): { readonly host: string; readonly port: string } {
  const [, inBrackets, plain = '', port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(text) ?? [];
  if (inBrackets === undefined && plain === '' && port === '' && text !== '') {
    throw refused('a host in the URL of PostgreSQL must look like db.example.com:5432 or [::1]:5432');
  }
  return { host: inBrackets ?? plain, port };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused('a % in the URL of PostgreSQL: must be followed by two hexadecimal digits');
  }
}

function refuseUnknown(inUrl: ReadonlyMap<string, string>, settings: Settings): void {
  for (const option of inUrl.keys()) {
    if (!(option in VARIABLES) && !OTHERS.has(option)) {
      throw refused(`the URL of PostgreSQL has the option "${option}", which libpq does not know`);
    }
  }
  for (const option of ['service', 'requirepeer', 'sslcrl']) {
    if (settings(option) !== undefined) throw refused(`the option "${option}" of PostgreSQL is not supported`);
  }
  if (settings('gssencmode') === 'require') throw refused('encryption by GSSAPI is not supported; use sslmode');
  const attributes = settings('target_session_attrs') ?? 'any';
  if (!SESSION_KINDS.includes(attributes)) {
    throw refused(`target_session_attrs "${attributes}": must be one of ${SESSION_KINDS.join(', ')}`);
  }
}

interface Login {
  readonly user: string;
  readonly database: string;
  readonly password: string | undefined;
}

function hostsOf(settings: Settings, { user, database, password }: Login): readonly Host[] {
  const names = (settings('host') ?? '').split(',');
  const addresses = (settings('hostaddr') ?? '').split(',');
  const ports = (settings('port') ?? '5432').split(',');
  const count = Math.max(names.length, addresses.length);
  if (ports.length !== 1 && ports.length !== count) {
    throw refused(`the URL of PostgreSQL has ${ports.length} ports for ${count} hosts`);
  }
  const passwords = password ?? settings('password');
  const lines = passwords === undefined ? passwordLines(settings) : '';
  const hosts = Array.from({ length: count }, (_, index): Host => {
    const name = names[index] || '';
    const port = portOf(ports[ports.length === 1 ? 0 : index] ?? '');
    const found = passwords ?? passwordIn(lines, { host: name || 'localhost', port, user, database });
    return { host: addresses[index] || name || 'localhost', port, password: found };
  });
  return settings('load_balance_hosts') === 'random' ? hosts.sort(() => Math.random() - 0.5) : hosts;
}

function portOf(text: string): number {
  const port = Number(text === '' ? '5432' : text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw refused(`the port "${text}" of PostgreSQL: must be a number from 1 to 65535`);
  return port;
}

/** Returns the content of the password file; nothing if it is missing, or if other users may read it. */
function passwordLines(settings: Settings): string {
  try {
    const file = settings('passfile') ?? join(homedir(), '.pgpass');
    return (statSync(file).mode & 0o077) === 0 ? readFileSync(file, 'utf8') : '';
  } catch {
    return '';
  }
}

/** Returns the name of the user of this process. In a container, a user may have no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    throw refused('the URL of PostgreSQL has no user, and the user of this process has no name');
  }
}
