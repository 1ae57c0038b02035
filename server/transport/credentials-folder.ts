/** Writes how to come to a server into files that only their owner can read: for kubectl and the SDK, for curl. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Files with the administrator's credentials, and with what tells the server from others. */
export interface CredentialFiles {
  /** A kubeconfig, for kubectl and the SDK; the administrator's, where there is one. */
  readonly kubeconfig: string;
  /** A line with the header that a request needs, for `curl -H @<file>`; absent where there is no administrator. */
  readonly header?: string;
  /** The authority of the certificate that the server makes, for `curl --cacert <file>`; absent where it makes none. */
  readonly authority?: string;
}

/** Files that go once they are of no use. */
export interface CredentialsFolder extends CredentialFiles {
  /** Writes them again. */
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

/** Writes new files into a folder, or into a temporary one. Throws where that cannot be done. */
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

/** The authority that has been written into a folder before; `undefined` where there is none. */
export function writtenAuthority(folder: string | undefined): string | undefined {
  if (folder === undefined) return undefined;
  try {
    return readFileSync(join(folder, authorityName), 'utf8');
  } catch {
    return undefined;
  }
}

/** A new file, so that neither the mode of an old one nor a link in its place counts. */
function writeSecret(path: string, text: string): string {
  rmSync(path, { force: true });
  writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
  return path;
}
