/**
 * The amount of random or repeated work in a test: enough to notice a mistake in `npm test`, all of it in `npm run
 * test:long`.
 */

/** Whether tests do all of their work. */
export const isLong = process.env.KINDFORGE_LONG === '1';

/**
 * Returns how often a test repeats something.
 * @param variable the environment variable that overrides it, as listed in `docs/testing.md`.
 */
export const effort = (variable: `KINDFORGE_${string}`, usual: number, long: number): number =>
  Number(process.env[variable] ?? (isLong ? long : usual));
