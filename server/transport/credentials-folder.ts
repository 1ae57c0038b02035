/**
 * Writes the credentials for a server into files that only their owner can read: for kubectl and the SDK, and for curl.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files with the administrator's credentials and the server's authority. */
export interface CredentialFiles {
  /** A kubeconfig for kubectl and the SDK, with the administrator's credentials if there is one. */
  readonly kubeconfig: string;
  /** A line with the authorization header, for `curl -H @<file>`; absent without an administrator. */
  readonly header?: string;
  /** The authority of the certificate that the server makes, for `curl --cacert <file>`; absent if it makes none. */
  readonly authority?: string;
}

/** The files, with functions to rewrite and remove them. */
export interface CredentialsFolder extends CredentialFiles {
  rewrite(contents: CredentialContents): void;
  /** Removes a temporary folder. */
  dispose(): void;
}

/** The texts of the files. */
export interface CredentialContents {
  readonly kubeconfig: string;
  readonly token: string | undefined;
  readonly authority: string | undefined;
}

const authorityName = 'ca.crt';

/** Writes new files into a folder, or into a temporary one. Throws if that fails. */
export function writeCredentials(folder: string | undefined, contents: CredentialContents): CredentialsFolder {
  const place = folder ?? mkdtempSync(join(tmpdir(), 'kindforge-'));
  mkdirSync(place, { recursive: true, mode: 0o700 });
  return {
    ...writeFiles(place, contents),
    rewrite: (next) => void writeFiles(place, next),
    dispose: () => folder ?? rmSync(place, { recursive: true, force: true }),
  };
}

function writeFiles(place: string, { kubeconfig, token, authority }: CredentialContents): CredentialFiles {
  const write = (name: string, text: string): string => writeSecret(join(place, name), text);
  return {
    kubeconfig: write('kubeconfig', kubeconfig),
    ...(token === undefined ? {} : { header: write('header', `authorization: Bearer ${token}\n`) }),
    ...(authority === undefined ? {} : { authority: write(authorityName, authority) }),
  };
}

/** Returns the authority that an earlier server wrote into the folder; `undefined` if there is none. */
export function writtenAuthority(folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  try {
    return readFileSync(join(folder, authorityName), 'utf8');
  } catch {
    return undefined;
  }
}

/** Creates a new file, so that the mode of an old file, or a link at the path, has no effect. */
function writeSecret(path: string, text: string): string {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return path;
}
