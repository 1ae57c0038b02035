/** Reads the options of libpq for TLS. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConnectionOptions, SecureVersion } from 'node:tls';
import { DriverError } from '../shared/errors.js';

/** Returns the value of an option of libpq. */
export type Settings = (option: string) => string | undefined;

export interface Security {
  /** The ways to connect, in the order of the tries: by TLS with these options, or in plain text. */
  readonly ways: readonly (ConnectionOptions | undefined)[];
  /** `direct` starts TLS at once. */
  readonly negotiation: 'postgres' | 'direct';
}

const VERSIONS: Readonly<Record<string, SecureVersion>> = {
  TLSv1: 'TLSv1',
  'TLSv1.1': 'TLSv1.1',
  'TLSv1.2': 'TLSv1.2',
  'TLSv1.3': 'TLSv1.3',
};

/** Reads the files of certificates and keys. Throws a `DriverError` that names a file or an option. */
export function securityOf(settings: Settings): Security {
  const mode = settings('sslmode') ?? 'prefer';
  const negotiation = settings('sslnegotiation') === 'direct' ? 'direct' : 'postgres';
  const tls = (): ConnectionOptions => ({
    ...identity(settings),
    ...versions(settings),
    ...verification(mode, settings),
  });
  switch (mode) {
    case 'disable':
      return { ways: [undefined], negotiation: 'postgres' };
    case 'allow':
      return { ways: [undefined, tls()], negotiation: 'postgres' };
    case 'prefer':
      return { ways: [tls(), undefined], negotiation: 'postgres' };
    case 'require':
    case 'verify-ca':
    case 'verify-full':
      return { ways: [tls()], negotiation };
    default:
      throw refused(`sslmode "${mode}": must be one of disable, allow, prefer, require, verify-ca, verify-full`);
  }
}

const refused = (message: string): DriverError => new DriverError('refused', message);

/**
 * Returns the options that verify the server. Only `verify-full` checks the name in its certificate. `require` checks
 * the rest if there is a file of authorities.
 */
function verification(mode: string, settings: Settings): ConnectionOptions {
  const named = settings('sslrootcert');
  const file = named ?? defaultFile('root.crt');
  const ca = named === 'system' || file === undefined ? undefined : content('sslrootcert', file);
  if (mode === 'verify-full' || named === 'system') return { rejectUnauthorized: true, ...(ca && { ca }) };
  const checks = mode === 'verify-ca' || (mode === 'require' && ca !== undefined);
  if (!checks) return { rejectUnauthorized: false };
  if (!ca) throw refused('sslmode verify-ca needs a file of authorities: set sslrootcert or PGSSLROOTCERT');
  return { rejectUnauthorized: true, ca, checkServerIdentity: () => undefined };
}

function identity(settings: Settings): ConnectionOptions {
  const cert = settings('sslcert') ?? defaultFile('postgresql.crt');
  const key = settings('sslkey') ?? defaultFile('postgresql.key');
  const passphrase = settings('sslpassword');
  if (cert === undefined || key === undefined) return {};
  return {
    cert: content('sslcert', cert),
    key: content('sslkey', key),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

function versions(settings: Settings): ConnectionOptions {
  const minVersion = versionOf('ssl_min_protocol_version', settings);
  const maxVersion = versionOf('ssl_max_protocol_version', settings);
  return { ...(minVersion && { minVersion }), ...(maxVersion && { maxVersion }) };
}

function versionOf(option: string, settings: Settings): SecureVersion | undefined {
  const name = settings(option);
  if (name === undefined) return undefined;
  const version = VERSIONS[name];
  if (!version) throw refused(`${option} "${name}": must be one of ${Object.keys(VERSIONS).join(', ')}`);
  return version;
}

function defaultFile(name: string): string | undefined {
  const file = join(homedir(), '.postgresql', name);
  return existsSync(file) ? file : undefined;
}

function content(option: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw refused(`the file of ${option} cannot be read: ${problem}`);
  }
}
