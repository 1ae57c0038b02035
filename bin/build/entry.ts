/** The one file of a build: the command, and the server for tests. Each is set up when it is asked for. */

/** Runs the command with the arguments of the process. */
export function runCommand(): void {
  void import('../program.js').then(({ run }) => run());
}

/** Returns the content of `kindforge/testing`. */
export const testing = (): Promise<typeof import('../../testing/index.js')> => import('../../testing/index.js');
