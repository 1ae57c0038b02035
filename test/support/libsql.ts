/**
 * Checks whether the database of tests over `db0` is installed. Unlike Node's own database, it also works in Node 20.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './shared.js';

export const hasLibsql = existsSync(join(root, 'node_modules/@libsql/client'));

/** For the names of tests that need it. */
export const libsqlOrWhyNot = hasLibsql ? 'SQLite' : 'SQLite (skipped: `npm run install:all` installs it)';
