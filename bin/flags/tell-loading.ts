/** Tells how far the loading of a project is: one that imports many modules in TypeScript takes seconds. */
import { createRequire } from 'node:module';
import type { Progress } from '../../generator/diagnostics/progress.js';

/** How often it is told, milliseconds, as far as modules leave time for that. */
const often = 250;

const loadedModules = (): number => Object.keys(createRequire(import.meta.url).cache).length;

/** Resolves or rejects as the work does. */
export async function tellLoading<T>(progress: Progress, work: () => Promise<T>, everyMs = often): Promise<T> {
  const before = loadedModules();
  const timer = setInterval(
    () => progress.step('loading', loadedModules() - before, undefined, 'modules of the project'),
    everyMs,
  );
  try {
    return await work();
  } finally {
    clearInterval(timer);
    progress.end();
  }
}
