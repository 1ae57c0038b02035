/**
 * Runs Debian's Python client for Kubernetes against a server with kubernetes names. Each script of `python/` must
 * succeed.
 */
import { execFile, execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { servingForTests } from '../support/serving.js';
import { root } from '../support/shared.js';

/** The system's own Python, because it has the system's packages. */
const python = '/usr/bin/python3';
const folder = join(root, 'test/e2e/python');
const scripts = readdirSync(folder).filter((name) => name.endsWith('.py') && name !== 'common.py');

const hasClient = ((): boolean => {
  try {
    execFileSync(python, ['-c', 'import kubernetes'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** Runs a script to its end. Resolves to its exit code and its output, which is empty after a success. */
const run = (script: string, url: string): Promise<string> =>
  new Promise((resolve) => {
    const args = ['-B', '-W', 'ignore', join(folder, script), url];
    execFile(python, args, (error, out, err) => resolve(`${error?.code ?? 0}\n${out}${err}`));
  });

describe.skipIf(!hasClient)('the Python client (skipped if python3-kubernetes is not installed)', () => {
  const running = servingForTests({ naming: 'kubernetes', schemas: join(root, 'examples/shop/schemas') });

  it('has scripts', () => expect(scripts).toEqual(['any_kind.py', 'crud.py', 'follow.py', 'patch.py']));
  it.each(scripts)('%s', async (script) => expect(await run(script, running().url)).toBe('0\n'));
});
