/**
 * Reads the file that says how to reach a webhook, in the kubeconfig format: the cluster is the webhook, the user this
 * server.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import { type Connection, connectionOf, withoutPlugin } from '../../client/connection/kubeconfig.js';
import { OptionError, type OptionName } from '../option-error.js';
import { isLoopback } from '../transport/check-transport.js';
import { stateOf } from '../transport/reloaded.js';
import { pemOf, type ShownCredentials, shownBy } from './credentials.js';

/** Files are looked at when a call is made, and no more often than this, milliseconds. */
const everyMs = 1000;

/**
 * Returns what the file says at the time of each call. Throws where it cannot be read at first; later on what was read
 * before stays in use, and the problem is told once.
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

/** How to reach a webhook. Certificates and keys are PEM. */
export interface WebhookConnection extends ShownCredentials {
  readonly url: URL;
  /** The files that say all this, but for tokens. */
  readonly paths: readonly string[];
  /** Authorities that the webhook's certificate must come from; those that Node trusts where absent. */
  readonly ca?: string;
  /** The name that its certificate has to be for, where that is not the URL's. */
  readonly serverName?: string;
  /** Whether any certificate will do. */
  readonly insecure: boolean;
}

/** Reads the file, and those that it names, relative to its folder. Throws an `OptionError` where one cannot be used. */
export function readWebhookFile(option: OptionName, path: string): WebhookConnection {
  try {
    return readConnection(path);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new OptionError((nameOf) => `${nameOf(option)} ${path}: ${problem}`, { cause: error });
  }
}

/** The same. Throws with what is wrong. Tokens and decisions cross a network only with TLS. */
export function readConnection(path: string): WebhookConnection {
  const connection = reachedBy(withoutPlugin(connectionOf(load(readFileSync(path, 'utf8')))), path);
  const { protocol, hostname, origin } = connection.url;
  if (protocol === 'https:' || isLoopback(hostname.replace(/^\[|\]$/g, ''))) return connection;
  throw new Error(`the server ${origin} is reached without TLS; use https, or http to this machine only (127.0.0.1)`);
}

/** Reads the files that a connection names, relative to the folder of its own. Throws where one cannot be used. */
export function reachedBy(connection: Connection, path: string): WebhookConnection {
  const { baseUrl, tls } = connection;
  const folder = dirname(path);
  const sources = [tls.ca, tls.certificate, tls.key];
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) throw new Error(`the server ${baseUrl} is no URL`);
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

// Keeps up with the file that says how to reach a webhook, and with the certificates and keys that it names.

/** Throws an `OptionError` where the file cannot be used at first. */
export const followWebhookFile = (
  option: OptionName,
  path: string,
  onProblem: (problem: string) => void,
): (() => WebhookConnection) => followed(() => readWebhookFile(option, path), onProblem);
