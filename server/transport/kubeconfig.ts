/** Prints a kubeconfig by which clients reach a server. */
import { administratorName, type KeyPair } from '../../plugins/index.js';

export interface KubeconfigParts {
  readonly url: string;
  /** The administrator's certificate or token; absent where there is no administrator. */
  readonly user: KeyPair | string | undefined;
  /** The certificates in PEM by which the server is trusted; absent over plain HTTP. */
  readonly trusted: string | undefined;
}

/**
 * The text of a kubeconfig, in JSON. kubectl sends tokens over TLS only. What stands in the address it sends over plain HTTP
 * too, which never leaves this machine; clients that do send the token find it in its own place as well. The client for
 * JavaScript speaks plain HTTP only where the file says that no certificate is checked, which there means nothing else.
 */
export function printKubeconfig({ url, user, trusted }: KubeconfigParts): string {
  const isBare = typeof user !== 'string' || trusted !== undefined;
  const server = isBare ? url : url.replace('://', `://${administratorName}:${user}@`);
  const trust =
    trusted === undefined ? { 'insecure-skip-tls-verify': true } : { 'certificate-authority-data': base64(trusted) };
  const name = 'kindforge';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...trust } }],
    users: [{ name, user: credentialsOf(user) }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

function credentialsOf(user: KubeconfigParts['user']): object {
  if (user === undefined) return {};
  if (typeof user === 'string') return { token: user };
  return { 'client-certificate-data': base64(user.cert), 'client-key-data': base64(user.key) };
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
