/** The kubeconfig of a user: the address of the server, and the user's own credential. */
import { readFileSync } from 'node:fs';
import { connectionOf } from '../../client/connection/kubeconfig.js';
import type { ClientOptions } from '../../client/index.js';
import { kubeconfigPaths, readKubeconfigs } from '../../client/node/kubeconfig-files.js';
import { loaded } from '../../client/node/loaded.js';
import type { MadeCredential } from './user-credential.js';

/** The address of a server, and the certificates that clients trust. */
export interface ServerAddress {
  readonly url: string;
  /** PEM; absent if clients trust the authorities of the machine. */
  readonly authority?: string;
  /** The name that the server's certificate must have. Default: the name in the URL. */
  readonly serverName?: string;
}

/** Returns the address in a kubeconfig, by default the usual one. Throws if it cannot be read. */
export function addressIn(path: string | undefined, context: string | undefined): ServerAddress {
  const { baseUrl, tls } = connectionOf(readKubeconfigs(kubeconfigPaths(path)).config, context);
  const { ca, serverName } = tls;
  return {
    url: baseUrl,
    ...(ca === undefined ? {} : { authority: 'pem' in ca ? ca.pem : readFileSync(ca.path, 'utf8') }),
    ...(serverName === undefined ? {} : { serverName }),
  };
}

/** The content of a kubeconfig for one user. */
export interface UserKubeconfig {
  readonly user: string;
  readonly address: ServerAddress;
  readonly shown: MadeCredential['shown'];
  readonly namespace?: string | undefined;
}

/** Prints the kubeconfig, in JSON. */
export const printUserKubeconfig = (contents: UserKubeconfig): string =>
  `${JSON.stringify(configOf(contents), undefined, 2)}\n`;

/** Returns a client with the credential. `url` is the address that the administrator uses, in place of the user's. */
export const clientOf = (contents: UserKubeconfig, url: string): ClientOptions => ({
  kubeconfig: loaded(connectionOf(configOf({ ...contents, address: { ...contents.address, url } })), process.cwd(), {}),
});

function configOf({ user, address: { url, authority, serverName }, shown, namespace }: UserKubeconfig): object {
  const name = 'kindforge';
  const cluster = {
    server: url,
    ...(authority === undefined ? {} : { 'certificate-authority-data': base64(authority) }),
    ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
  };
  const credentials =
    'token' in shown
      ? { token: shown.token }
      : { 'client-certificate-data': base64(shown.cert), 'client-key-data': base64(shown.key) };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    users: [{ name: user, user: credentials }],
    contexts: [{ name, context: { cluster: name, user, ...(namespace === undefined ? {} : { namespace }) } }],
    'current-context': name,
  };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
