/** The browser of this machine and the example that tests open in it with playwright-core. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './shared.js';

/** Path of Chromium; `undefined` if it is not installed. */
export const browser = ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync);

/** The packages of examples/web, if they are installed. */
export const examplePackages = join(root, 'examples/web/node_modules');

/** Copies the example into the checkout, beside the sources that it imports, with links to its packages. */
export function copyOfExample(): string {
  mkdirSync(join(root, '.kindforge'), { recursive: true });
  const folder = mkdtempSync(join(root, '.kindforge/web-'));
  const isSource = (path: string): boolean => !['node_modules', 'generated', 'dist'].includes(basename(path));
  cpSync(join(root, 'examples/web'), folder, { recursive: true, filter: isSource });
  symlinkSync(examplePackages, join(folder, 'node_modules'));
  return folder;
}

/**
 * Runs before the scripts of a page. Counts the commits that React reports to its developer tools, and changes of
 * elements.
 */
export function countChanges(): void {
  let changes = 0;
  const count = (): void => {
    Reflect.set(globalThis, 'changes', ++changes);
  };
  const nothing = (): void => {};
  const commits = { onCommitFiberRoot: count, onPostCommitFiberRoot: nothing, onCommitFiberUnmount: nothing };
  const hook = { supportsFiber: true, isDisabled: false, checkDCE: nothing, inject: () => 1, ...commits };
  Reflect.set(globalThis, '__REACT_DEVTOOLS_GLOBAL_HOOK__', hook);
  new MutationObserver(count).observe(document, { childList: true, subtree: true, characterData: true });
}
