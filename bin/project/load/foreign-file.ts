/** Decides which files are run or trusted without being named: nearby files, unless other users can change them. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Lists a folder and the ones above it, up to the root of its repository, or else of its package. A folder in neither
 * is listed alone. Paths are absolute.
 */
export function foldersOfPackage(folder: string): readonly string[] {
  const all = [resolve(folder)];
  for (let here = resolve(folder); dirname(here) !== here; here = dirname(here)) all.push(dirname(here));
  const nearest = (mark: string): number => all.findIndex((one) => existsSync(join(one, mark)));
  const root = [nearest('.git'), nearest('package.json'), 0].find((at) => at >= 0);
  return all.slice(0, (root ?? 0) + 1);
}

/** The user of a process; absent on systems without such users. */
export interface ProcessUser {
  readonly uid: number | undefined;
  readonly gid: number | undefined;
}

const thisProcess: ProcessUser = { uid: process.getuid?.(), gid: process.getgid?.() };

const forGroup = 0o020;
const forOthers = 0o002;

/**
 * Returns why a file is not to be trusted: another user, who is not root, owns it or its folder, or others may write to
 * one of the two. Returns `undefined` if it may be run. Follows links.
 */
export function foreignProblem(file: string, user: ProcessUser = thisProcess): string | undefined {
  if (user.uid === undefined) return undefined;
  const real = realpathSync(file);
  const folders = [...new Set([dirname(file), dirname(real)])];
  for (const [path, what] of [[real, ''], ...folders.map((folder) => [folder, `its folder ${folder} `])] as const) {
    const { uid, gid, mode } = statSync(path);
    if (uid !== 0 && uid !== user.uid) return `${what}is owned by another user (uid ${uid})`;
    // A group of one's own has no other members.
    const isOwnGroup = gid === 0 || gid === user.gid;
    if ((mode & forOthers) !== 0 || ((mode & forGroup) !== 0 && !isOwnGroup)) {
      return `${what}can be written by other users (mode ${(mode & 0o7777).toString(8)})`;
    }
  }
  return undefined;
}
