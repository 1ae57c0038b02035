/** Refuses output folders that have something else in them. */
import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { otherOrigin } from './manifest.js';

/** Refuses the folder of the definitions itself: definitions are not looked for in what was generated. */
export function refuseOwnFolder(out: string, schemas: string): void {
  if (realPath(out) !== realPath(schemas)) return;
  throw new Error(`${out} is the folder of the definitions; name another one with --out`);
}

/** Returns the path without symbolic links, or as it is if it does not exist. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}

/** Refuses a folder that was generated from other definitions: its files would be removed as stale. */
export function refuseForeign(out: string, schemas: string): void {
  const origin = otherOrigin(out, schemas);
  if (origin === undefined) return;
  const named = relative('', origin) || '.';
  throw new Error(
    `${out} holds what was generated from ${named}, which ${schemas} would replace; name another folder with --out, or remove ${out} first`,
  );
}
