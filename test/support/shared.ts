/** Finds the folder of recordings and real input beside a developer's checkout. Elsewhere it is absent. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root of the repository. */
export const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

const folder = join(root, '../shared');

/** Whether the folder is there; tests that need it say in their name that they are skipped without it. */
export const hasShared = existsSync(join(folder, 'conformance'));

/** Returns a path in the folder. */
export const shared = (...parts: string[]): string => join(folder, ...parts);
