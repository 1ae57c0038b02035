/**
 * Finds the files of the console: in a bundle, beside the command, beside the modules of the package, or in a checkout.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The places of the folder, relative to this code. */
const places = [
  './console',
  '../console',
  '../../console',
  '../../packages/console/dist',
  '../../../packages/console/dist',
];

/** Returns the folder. If the console is not built, this is the last place: the output of a build in a checkout. */
export function findConsole(): string {
  const here = fileURLToPath(new URL('.', import.meta.url));
  const folders = places.map((place) => join(here, place));
  const isCheckout = (folder: string): boolean => existsSync(join(folder, '../vite.config.ts'));
  return (
    folders.find((folder) => existsSync(join(folder, 'index.html')) || isCheckout(folder)) ?? join(here, 'console')
  );
}
