/** Tells programs that a server is ready, and how to reach it: one line of JSON, on standard output or in a file. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { ListeningServer } from '../server/running-server.js';
import { writeCredentials } from '../server/transport/credentials-folder.js';

/** The line, as a value. */
export interface ReadyNotice {
  /** As in `https://127.0.0.1:41234`: with TLS where there is any. */
  readonly address: string;
  /** The address in plain HTTP; absent where there is none, and where `address` is that. */
  readonly plainAddress?: string;
  /** The path of a kubeconfig for the address. */
  readonly kubeconfig: string;
  readonly pid: number;
}

/** Told to programs as long as a server is ready. */
export interface ReadyTold {
  readonly line: string;
  /** Removes what was written for it. */
  dispose(): void;
}

/** Where the server has written no kubeconfig, as it has nobody's credentials to give, one without any is written here. */
export function readyNotice({ url, plainUrl = url, credentials, kubeconfig }: ListeningServer): ReadyTold {
  const own = credentials
    ? undefined
    : writeCredentials(undefined, { kubeconfig, token: undefined, authority: undefined });
  const notice: ReadyNotice = {
    address: url,
    ...(plainUrl === url ? {} : { plainAddress: plainUrl }),
    kubeconfig: (credentials ?? own)?.kubeconfig ?? '',
    pid: process.pid,
  };
  return { line: `${JSON.stringify(notice)}\n`, dispose: () => own?.dispose() };
}

/** A file that is there, whole, as long as a server is ready. */
export interface ReadyFile {
  write(line: string): void;
  remove(): void;
}

/** One of an earlier server is removed. Throws where the file cannot be written. */
export function openReadyFile(path: string): ReadyFile {
  const remove = (): void => rmSync(path, { force: true });
  remove();
  return {
    write(line) {
      const making = `${path}.${process.pid}`;
      writeFileSync(making, line, { mode: 0o600 });
      renameSync(making, path);
    },
    remove,
  };
}
