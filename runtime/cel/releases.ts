/** Environments of the reference's releases. */
import type { EnvironmentOptions } from './environment.js';
import { baseLibraries, laterLibraries } from './library/index.js';

/** What release 1.27 offers. */
export const baseEnvironment: EnvironmentOptions = {
  libraries: baseLibraries,
  earlyMessages: true,
  earlyEstimates: true,
};

/** What later releases offer: more libraries, optionals, comparisons between numbers of different types. */
export const laterEnvironment: EnvironmentOptions = {
  libraries: [...baseLibraries, ...laterLibraries],
  mixedComparisons: true,
};
