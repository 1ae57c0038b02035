/** Reads the file about a webhook, in the kubeconfig format: the cluster is the webhook, the user is this server. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import { type Connection, connectionOf, withoutPlugin } from '../../client/connection/kubeconfig.js';
import { OptionError, type OptionName } from '../option-error.js';
import { isLoopback } from '../transport/check-transport.js';
import { stateOf } from '../transport/reloaded.js';
import { pemOf, type ShownCredentials, shownBy } from './credentials.js';

/** The shortest time between two looks at the files, milliseconds. A call causes a look. */
const everyMs = 1000;

/**
 * Returns a function that returns the current content of the file. Throws if the file cannot be read at first. Later,
 * it keeps the last valid content in use, and reports the problem once.
 */
export function followed<T extends { readonly paths: readonly string[] }>(
  readFile: () => T,
  onProblem: (problem: string) => void,
): () => T {
  let value = readFile();
  let read = stateOf(value.paths);
  let lookedAt = performance.now();
  return () => {
    const now = performance.now();
    if (now - lookedAt < everyMs) return value;
    lookedAt = now;
    const state = stateOf(value.paths);
    if (state === read) return value;
    read = state;
    try {
      value = readFile();
    } catch (error) {
      onProblem(`what was read before stays in use: ${error instanceof Error ? error.message : String(error)}`);
    }
    return value;
  };
}

/** The way to a webhook. Certificates and keys are PEM. */
export interface WebhookConnection extends ShownCredentials {
  readonly url: URL;
  /** All files that were read, except token files. */
  readonly paths: readonly string[];
  /** Authorities for the webhook's certificate. Default: the authorities that Node trusts. */
  readonly ca?: string;
  /** The name in its certificate. Default: the URL's host. */
  readonly serverName?: string;
  /** Whether to accept any certificate. */
  readonly insecure: boolean;
}

/**
 * Reads the file and the files that it names, relative to its folder. Throws an `OptionError` if one cannot be used.
 */
export function readWebhookFile(option: OptionName, path: string): WebhookConnection {
  try {
    return readConnection(path);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new OptionError((nameOf) => `${nameOf(option)} ${path}: ${problem}`, { cause: error });
  }
}

/** Reads a connection as `readWebhookFile` does, but throws a plain error. */
function readConnection(path: string, check = checkRemote): WebhookConnection {
  const connection = withoutPlugin(readFile(path));
  const reached = reachedBy(connection, path);
  check(connection);
  return reached;
}

/** Reads the file of a webhook that must prove its identity even on this machine. Throws an error with the reason. */
export const readTrustedConnection = (path: string): WebhookConnection => readConnection(path, checkTrust);

/** Throws if the file names a webhook on another machine without proof of its identity. */
export const checkRemoteTrust = (path: string): void => checkRemote(readFile(path));

const readFile = (path: string): Connection => connectionOf(load(readFileSync(path, 'utf8')));

/** Returns the host of a URL, without the brackets of IPv6. */
const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, '');

function checkRemote(connection: Connection): void {
  const { baseUrl } = connection;
  if (URL.canParse(baseUrl) && !isLoopback(hostOf(baseUrl))) checkTrust(connection);
}

/** Requires that server and webhook verify each other. Otherwise others could listen, or answer in their place. */
function checkTrust(connection: Connection): void {
  const lack = lackOf(connection);
  if (lack !== undefined) throw new Error(`the server ${connection.baseUrl} needs ${lack}`);
}

function lackOf({ baseUrl, tls, token, tokenFile, username, plugin }: Connection): string | undefined {
  if (!baseUrl.startsWith('https:')) return 'https; plain http is for webhooks on this machine';
  if (tls.ca === undefined || tls.insecure) return 'a certificate-authority';
  if (tls.certificate ?? token ?? tokenFile ?? username ?? plugin) return undefined;
  return 'client credentials: a certificate with its key, a token, or a name with a password';
}

/** Reads the files that a connection names, relative to the connection's own folder. Throws if one cannot be used. */
export function reachedBy(connection: Connection, path: string): WebhookConnection {
  const { baseUrl, tls } = connection;
  const folder = dirname(path);
  const sources = [tls.ca, tls.certificate, tls.key];
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl))
    throw new Error(`server ${baseUrl}: must be an HTTP or HTTPS URL`);
  const { certificate, key } = tls;
  const shown = shownBy({ ...connection, ...(certificate && { certificate }), ...(key && { key }) }, folder);
  return {
    url: new URL(baseUrl),
    paths: [path, ...sources.flatMap((source) => (source && 'path' in source ? resolve(folder, source.path) : []))],
    insecure: tls.insecure,
    ...shown,
    ...(tls.ca === undefined ? {} : { ca: pemOf(tls.ca, folder) }),
    ...(tls.serverName === undefined ? {} : { serverName: tls.serverName }),
  };
}

// Follows the file about a webhook, and the certificates and keys that it names.

/** Throws an `OptionError` if the file cannot be used at first. */
export const followWebhookFile = (
  option: OptionName,
  path: string,
  onProblem: (problem: string) => void,
): (() => WebhookConnection) => followed(() => readWebhookFile(option, path), onProblem);
