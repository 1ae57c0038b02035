/** Reads the file that says how to reach a webhook, in the kubeconfig format: the cluster is the webhook, the user this server. */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { load } from 'js-yaml';
import {
  type Connection,
  connectionOf,
  credentialHeaders,
  type PemSource,
  withoutPlugin,
} from '../../client/kubeconfig/connection.js';
import { OptionError, type OptionName } from '../option-error.js';

/** How to reach a webhook. Certificates and keys are PEM. */
export interface WebhookConnection {
  readonly url: URL;
  /** The files that say all this, but for tokens. */
  readonly paths: readonly string[];
  /** Authorities that the webhook's certificate must come from; those that Node trusts where absent. */
  readonly ca?: string;
  /** The name that its certificate has to be for, where that is not the URL's. */
  readonly serverName?: string;
  /** Whether any certificate will do. */
  readonly insecure: boolean;
  /** The credentials that this server shows of itself. */
  readonly cert?: string;
  readonly key?: string;
  /** The headers that say who this server is, read again for each call: tokens in files change. */
  readonly headers: () => Readonly<Record<string, string>>;
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
  const { baseUrl, tls, tokenFile } = connection;
  const folder = dirname(path);
  const sources = [tls.ca, tls.certificate, tls.key];
  const read = (source: PemSource): string =>
    'pem' in source ? source.pem : readFileSync(resolve(folder, source.path), 'utf8');
  if (!/^https?:/.test(baseUrl) || !URL.canParse(baseUrl)) throw new Error(`the server ${baseUrl} is no URL`);
  if ((tls.certificate === undefined) !== (tls.key === undefined)) {
    throw new Error('client-certificate and client-key must be given together');
  }
  const headers = (): Readonly<Record<string, string>> =>
    tokenFile === undefined
      ? credentialHeaders(connection)
      : { authorization: `Bearer ${readFileSync(resolve(folder, tokenFile), 'utf8').trim()}` };
  headers();
  return {
    url: new URL(baseUrl),
    paths: [path, ...sources.flatMap((source) => (source && 'path' in source ? resolve(folder, source.path) : []))],
    insecure: tls.insecure,
    headers,
    ...(tls.ca === undefined ? {} : { ca: read(tls.ca) }),
    ...(tls.serverName === undefined ? {} : { serverName: tls.serverName }),
    ...(tls.certificate === undefined ? {} : { cert: read(tls.certificate) }),
    ...(tls.key === undefined ? {} : { key: read(tls.key) }),
  };
}
