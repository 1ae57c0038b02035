/** The one file of a build: the command, and the server for tests. Each is set up at its first use. */

import { useBundled } from '../flags/project.js';
import type { BundledProject } from '../project/project.js';

/** Runs the command with the arguments of the process. */
export function runCommand(): void {
  void import('../program.js').then(({ run }) => run());
}

/** Runs the command with the project of a bundle. It serves, unless the arguments begin with another command. */
export function runBundled(project: BundledProject): void {
  useBundled(project);
  const [first = '-'] = process.argv.slice(2);
  if (first.startsWith('-')) process.argv.splice(2, 0, 'serve');
  runCommand();
}

export { ownModules } from '../project/load/import-file.js';

/** Returns the content of `kindforge/testing`. */
export const testing = (): Promise<typeof import('../../testing/index.js')> => import('../../testing/index.js');
