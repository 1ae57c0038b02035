/** Decides whether to trust a nearby file that the user did not name: not if other users can change it. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Lists a folder and the folders above it, up to the root of its repository, or else of its package. Outside of both,
 * lists only the folder. Paths are absolute.
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
 * Returns why a file cannot be trusted: a user other than root owns it or its folder, or others may write to one of
 * them. Returns `undefined` for a file that can be trusted. Follows links.
 */
export function foreignProblem(file: string, user: ProcessUser = thisProcess): string | undefined {
  if (user.uid === undefined) return undefined;
  const real = realpathSync(file);
  const folders = [...new Set([dirname(file), dirname(real)])];
  for (const [path, what] of [[real, ''], ...folders.map((folder) => [folder, `its folder ${folder} `])] as const) {
    const { uid, gid, mode } = statSync(path);
    if (uid !== 0 && uid !== user.uid) return `${what}is owned by another user (uid ${uid})`;
    // A user's own group has no other members.
    const isOwnGroup = gid === 0 || gid === user.gid;
    if ((mode & forOthers) !== 0 || ((mode & forGroup) !== 0 && !isOwnGroup)) {
      return `${what}can be written by other users (mode ${(mode & 0o7777).toString(8)})`;
    }
  }
  return undefined;
}
