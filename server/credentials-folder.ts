/** Writes the administrator's credentials into files that only their owner can read: for kubectl and the SDK, for curl. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files with the administrator's credentials. */
export interface CredentialFiles {
  /** A kubeconfig, for kubectl and the SDK. */
  readonly kubeconfig: string;
  /** A line with the header that a request needs, for `curl -H @<file>`. */
  readonly header: string;
}

/** Files that go once they are of no use. */
export interface CredentialsFolder extends CredentialFiles {
  /** Removes a temporary folder. */
  dispose(): void;
}

/** Writes new files into a folder, or into a temporary one. Throws where that cannot be done. */
export function writeCredentials(
  folder: string | undefined,
  { kubeconfig, token }: { readonly kubeconfig: string; readonly token: string },
): CredentialsFolder {
  const place = folder ?? mkdtempSync(join(tmpdir(), 'kindforge-'));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  return {
    kubeconfig: writeSecret(join(place, 'kubeconfig'), kubeconfig),
    header: writeSecret(join(place, 'header'), `authorization: Bearer ${token}\n`),
    dispose: () => folder ?? rmSync(place, { recursive: true, force: true }),
  };
}

/** A new file, so that neither the mode of an old one nor a link in its place counts. */
function writeSecret(path: string, text: string): string {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return path;
}
