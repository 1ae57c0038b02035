/** Prints a kubeconfig by which clients reach a server. */
import { administratorName } from '../plugins/index.js';

export interface KubeconfigParts {
  readonly url: string;
  /** The administrator's; absent where there is none. */
  readonly token: string | undefined;
  /** The server's certificate in PEM. It does for its authority's: whoever trusts it trusts the server. */
  readonly certificate: string | Uint8Array | undefined;
}

/**
 * The text of a kubeconfig, in JSON. kubectl sends tokens over TLS only. What stands in the address it sends over plain HTTP
 * too, which never leaves this machine; clients that do send the token find it in its own place as well. The client for
 * JavaScript speaks plain HTTP only where the file says that no certificate is checked, which there means nothing else.
 */
export function printKubeconfig({ url, token, certificate }: KubeconfigParts): string {
  const isBare = token === undefined || certificate !== undefined;
  const server = isBare ? url : url.replace('://', `://${administratorName}:${token}@`);
  const trust =
    certificate === undefined
      ? { 'insecure-skip-tls-verify': true }
      : { 'certificate-authority-data': Buffer.from(certificate).toString('base64') };
  const name = 'kindforge';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...trust } }],
    users: [{ name, user: token === undefined ? {} : { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
