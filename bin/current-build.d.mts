/** The types of `current-build.mjs`. */

/** The file that Node.js is run with. `onBuild` is called before it is built, unless it is there. */
export function currentBuild(onBuild?: () => void): string;
