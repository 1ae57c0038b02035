/** The programs and builds that scenarios need, and how to get each. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { builtCommand, chromiumProgram, loadGenerator, postgresPrograms, root } from './processes.mjs';

const hasProgram = (name, ...args) => spawnSync(name, args, { stdio: 'ignore' }).error === undefined;

const needs = {
  build: { isThere: () => existsSync(join(root, builtCommand)), cure: 'run npm run build' },
  wrk: { isThere: () => hasProgram('wrk', '-v'), cure: 'install the package wrk' },
  PostgreSQL: { isThere: () => postgresPrograms !== undefined, cure: 'install the package postgresql' },
  etcd: { isThere: () => hasProgram('etcd', '--version'), cure: 'install etcd' },
  openssl: { isThere: () => hasProgram('openssl', 'version'), cure: 'install openssl' },
  Chromium: {
    isThere: () =>
      chromiumProgram !== undefined && existsSync(join(root, 'packages/interop/node_modules/playwright-core')),
    cure: 'install chromium, and run npm run install:all',
  },
  'the load generator': { isThere: () => existsSync(loadGenerator), cure: `it belongs to ${loadGenerator}` },
  '/proc': { isThere: () => existsSync('/proc/self/stat'), cure: 'run it on Linux' },
};

/** Returns the missing things and how to get them; `undefined` if nothing is missing. */
export function missingNeed(need) {
  const { isThere, cure } = needs[need];
  return isThere() ? undefined : `${need} is missing: ${cure}`;
}
