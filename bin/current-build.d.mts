/** The types of `current-build.mjs`. */

/** The file that Node.js is run with. `onBuild` is called before it is built, unless it is there. */
export function currentBuild(onBuild?: () => void): string;

/**
 * Returns the folder of a build of these sources. If it is not there, builds it in place of older builds of the same
 * name.
 */
export function buildOnce(name: string, paths: readonly string[], build: (making: string) => void): string;

/** Builds the console if its sources have changed, in a process of its own, which is returned. */
export function buildConsole(): import('node:child_process').ChildProcess | undefined;

/** Builds the console into `packages/console/dist` if its sources have changed, and waits for it. */
export function currentConsole(): void;

/** Returns a text that changes whenever one of these files, or a file of these folders, does. */
export function stampOf(paths: readonly string[]): string;

/** The root of the checkout. */
export const root: string;

/** Holds what is made of the sources and can be made again. */
export const builds: string;
