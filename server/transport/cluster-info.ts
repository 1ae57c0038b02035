/** Prints a kubeconfig for new machines that look for a server with TLS. */
import type { StartOptions } from '../options.js';
import type { StartedListening } from './listen.js';
import type { OpenTls } from './open-tls.js';
import { toldHost } from './told-host.js';

/** Returns a kubeconfig with the server's address and its trusted certificates, without credentials. */
export function clusterInfoOf(
  { addresses: { address } }: StartedListening,
  { trusted }: OpenTls,
  { advertiseAddress }: Pick<StartOptions, 'advertiseAddress'>,
): string {
  const host = advertiseAddress ?? toldHost(address.host);
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
  const cluster = { server, 'certificate-authority-data': Buffer.from(trusted()).toString('base64') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: '', cluster }],
    contexts: [],
    users: [],
    'current-context': '',
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
