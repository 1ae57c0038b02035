/** Finds the folder of recordings and real input beside a developer's checkout. Other machines do not have it. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const folder = join(root, '../shared');

/** Whether the folder exists. Tests that need it name this condition in their title. */
export const hasShared = existsSync(join(folder, 'conformance'));

/** Returns a path in the folder. */
export const shared = (...parts: string[]): string => join(folder, ...parts);
