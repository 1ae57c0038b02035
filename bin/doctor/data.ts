/**
 * Checks the folder of the data: whether this user can write to it, whether others can read it, and which process uses
 * it.
 */
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Check, type Finding, messageOf, ok, problem, warning } from './finding.js';

export const data: Check = {
  name: 'data',
  run: ({ data: folder }) => {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (!found) return [canBeMade(folder)];
    if (!found.isDirectory())
      return [problem(`${folder} is not a folder`, 'Name another place with --storage lmdb:FOLDER')];
    return [writable(folder), ...openToOthers(folder), ...holder(folder)];
  },
};

/** Reports whether the first start could make a missing folder. */
function canBeMade(folder: string): Finding {
  let above = dirname(folder);
  while (!statSync(above, { throwIfNoEntry: false }) && dirname(above) !== above) above = dirname(above);
  const finding = writable(above);
  return finding.level === 'ok' ? ok(`${folder} does not exist yet: the first start creates it`) : finding;
}

function writable(folder: string): Finding {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return ok(`${folder} can be written`);
  } catch (error) {
    return problem(
      `${folder} cannot be written: ${messageOf(error)}`,
      'Give it to the user that the server runs as (chown), or name another with --storage lmdb:FOLDER',
    );
  }
}

/**
 * Checks that only the owner can read the data, because it holds secrets and credentials. Windows has no such
 * permission bits.
 */
function openToOthers(folder: string): Finding[] {
  if (process.platform === 'win32') return [];
  return ['', 'data.mdb', 'credentials', 'credentials/kubeconfig', 'credentials/header'].flatMap((name) => {
    const path = join(folder, name);
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & 0o077) === 0 ? [] : [warning(`others on this machine can open ${path}`, `chmod go-rwx ${path}`)];
  });
}

/** Finds the process that has the folder open. A server writes its process id to the file `owner` there. */
function holder(folder: string): Finding[] {
  const pid = Number(read(join(folder, 'owner')));
  if (!Number.isInteger(pid) || pid <= 0) return [];
  if (isAlive(pid)) return [ok(`a server uses the data: process ${pid}`)];
  return [ok(`process ${pid} used the data and has ended: the next start takes over`)];
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
