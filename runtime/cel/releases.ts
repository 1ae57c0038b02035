/** Environments of the reference's releases. */
import type { EnvironmentOptions } from './environment.js';
import { baseLibraries, laterLibraries } from './library/index.js';

/** The environment of release 1.27. */
export const baseEnvironment: EnvironmentOptions = {
  libraries: baseLibraries,
  earlyMessages: true,
  earlyEstimates: true,
};

/** The environment of later releases: more libraries, optionals, comparisons between numbers of different types. */
export const laterEnvironment: EnvironmentOptions = {
  libraries: [...baseLibraries, ...laterLibraries],
  mixedComparisons: true,
};
