/** Reads the file with a server's credentials for webhooks: a kubeconfig with users, named after webhooks. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import {
  credentialHeaders,
  type PemSource,
  type UserCredentials,
  usersOf,
} from '../../client/connection/kubeconfig.js';

/** Credentials by the names of the webhooks that they are for. */
export interface CredentialsFile {
  /** All files that were read, except token files. */
  readonly paths: readonly string[];
  readonly users: ReadonlyMap<string, ShownCredentials>;
  /** The credentials of the current context, for webhooks without their own user. */
  readonly usual?: ShownCredentials;
}

/** Reads the file and the files that it names, relative to its folder. Throws if one cannot be used. */
export function readCredentials(path: string): CredentialsFile {
  const { users, current } = usersOf(load(readFileSync(path, 'utf8')));
  const folder = dirname(path);
  const shown = new Map([...users].map(([name, user]) => [name, shownBy(user, folder)]));
  const sources = [...users.values()].flatMap(({ certificate, key }) => [certificate, key]);
  const usual = current === undefined ? undefined : shown.get(current);
  return {
    paths: [path, ...sources.flatMap((source) => (source && 'path' in source ? resolve(folder, source.path) : []))],
    users: shown,
    ...(usual ? { usual } : {}),
  };
}

/**
 * Returns the credentials for a webhook at a host and port: those for the host, for a domain above it as `*.domain`, or
 * for `*`. The name includes the port, unless it is 443.
 */
export function credentialsFor(
  { users, usual }: CredentialsFile,
  host: string,
  port: number,
): ShownCredentials | undefined {
  const named = `${host}:${port}`;
  const names = [...widening(named), ...(port === 443 ? widening(host) : []), '*'];
  const found = names.find((name) => users.has(name));
  return found === undefined ? usual : users.get(found);
}

/** Lists a name and its wildcards, as in `a.b.c`, `*.b.c`, `*.c`. */
function widening(name: string): readonly string[] {
  const parts = name.split('.');
  return parts.map((_, i) => (i === 0 ? name : ['*', ...parts.slice(i)].join('.')));
}

/** The credentials that this server shows to a webhook. */
export interface ShownCredentials {
  /** PEM. */
  readonly cert?: string;
  readonly key?: string;
  /** Reads the token again for each call, because tokens in files change. Throws if a file is gone. */
  readonly headers: () => Readonly<Record<string, string>>;
}

/** Reads the credentials of a user and the files that they name, relative to a folder. Throws if one cannot be used. */
export function shownBy(user: UserCredentials, folder: string): ShownCredentials {
  const { certificate, key, tokenFile } = user;
  if ((certificate === undefined) !== (key === undefined)) {
    throw new Error('client-certificate and client-key must be given together');
  }
  const headers = (): Readonly<Record<string, string>> =>
    tokenFile === undefined
      ? credentialHeaders(user)
      : { authorization: `Bearer ${readFileSync(resolve(folder, tokenFile), 'utf8').trim()}` };
  headers();
  return {
    headers,
    ...(certificate === undefined ? {} : { cert: pemOf(certificate, folder) }),
    ...(key === undefined ? {} : { key: pemOf(key, folder) }),
  };
}

/** Returns PEM, either the given text or a file relative to a folder. Throws if the file is gone. */
export const pemOf = (source: PemSource, folder: string): string =>
  'pem' in source ? source.pem : readFileSync(resolve(folder, source.path), 'utf8');
