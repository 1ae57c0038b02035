/** Writes the administrator's credentials into files that only their owner can read: for kubectl and the SDK, for curl. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { administratorName } from './administrator.js';
import type { Settings } from './settings.js';

/** Where the credentials are. */
export interface CredentialsFolder {
  /** A kubeconfig, for kubectl and the SDK. */
  readonly kubeconfig: string;
  /** A line with the header that a request needs, for `curl -H @<file>`. */
  readonly header: string;
  /** Removes what would be of no use once the server has ended. */
  dispose(): void;
}

/** Writes them anew. The files are in `credentials` in the folder of the data, or in a folder of their own. */
export function writeCredentials(
  settings: Pick<Settings, 'credentialsDir' | 'storage' | 'tls'>,
  { url, token }: { readonly url: string; readonly token: string },
): CredentialsFolder {
  const kept = lastingFolder(settings);
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'kindforge-'));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const ca = settings.tls ? readFileSync(settings.tls.certFile) : undefined;
  return {
    kubeconfig: writeSecret(join(folder, 'kubeconfig'), toKubeconfig(url, token, ca)),
    header: writeSecret(join(folder, 'header'), `authorization: Bearer ${token}\n`),
    dispose: () => kept ?? rmSync(folder, { recursive: true, force: true }),
  };
}

function lastingFolder({ credentialsDir, storage }: Pick<Settings, 'credentialsDir' | 'storage'>): string | undefined {
  if (credentialsDir !== undefined) return credentialsDir;
  return storage.backend === 'lmdb' ? join(storage.folder, 'credentials') : undefined;
}

/** A new file, so that neither the mode of an old one nor a link in its place counts. */
function writeSecret(path: string, text: string): string {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return path;
}

/**
 * kubectl sends tokens over TLS only. What stands in the address it sends over plain HTTP too, which never leaves this
 * machine; clients that do send the token find it in its own place as well.
 */
function toKubeconfig(url: string, token: string, ca: Uint8Array | undefined): string {
  const server = ca ? url : url.replace('://', `://${administratorName}:${token}@`);
  // The server's certificate does for its authority's: whoever trusts it trusts the server.
  const trust = ca ? { 'certificate-authority-data': Buffer.from(ca).toString('base64') } : {};
  const name = 'kindforge';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server, ...trust } }],
    users: [{ name, user: { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
