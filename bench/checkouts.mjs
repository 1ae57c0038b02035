/** Opens the checkouts to measure: this one, and another one side by side with it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { register } from 'tsx/esm/api';
import { builtCommand, root } from './processes.mjs';

/**
 * Opens this checkout and, if one is given, the other. Uses a folder unchanged. Checks a commit out into a temporary
 * folder with the packages of this checkout, and builds it if a scenario needs a build.
 */
export async function openCheckouts(against, needsBuild) {
  if (against === undefined) return { list: [checkoutAt(root, '')], close() {} };
  const isFolder = existsSync(against);
  const folder = isFolder ? resolve(against) : checkOut(against);
  const close = () => {
    if (!isFolder) execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: root });
  };
  if (needsBuild && !existsSync(join(folder, builtCommand))) build(folder);
  return { list: [checkoutAt(root, ''), checkoutAt(folder, against)], close };
}

// From here on, `import` accepts TypeScript.
register();

/** Returns a checkout. `load` imports a module by its path, from sources or built files. */
export function checkoutAt(folder, name) {
  const load = (path) => import(pathToFileURL(join(folder, path)).href);
  return { name, checkout: folder, command: join(folder, builtCommand), load };
}

function checkOut(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-bench-against-'));
  execFileSync('git', ['worktree', 'add', '--detach', '--force', folder, commit], { cwd: root, stdio: 'ignore' });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

function build(folder) {
  console.log(`building ${folder}`);
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}
