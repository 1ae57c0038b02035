/**
 * Reads the file that says how to reach a webhook, in the kubeconfig format: the cluster is the webhook, the user this
 * server.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import { type Connection, connectionOf, withoutPlugin } from '../../client/connection/kubeconfig.js';
import { OptionError, type OptionName } from '../option-error.js';
import { pemOf, type ShownCredentials, shownBy } from './shown-credentials.js';

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

/** The same. Throws with what is wrong. */
export const readConnection = (path: string): WebhookConnection =>
  reachedBy(withoutPlugin(connectionOf(load(readFileSync(path, 'utf8')))), path);

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
