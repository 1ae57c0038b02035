/**
 * Serves the recorded definitions with rules from files, and compares the answers about objects with the recordings,
 * word for word. Skips exchanges about the definitions themselves: the test cannot post these, because others have
 * their names.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isObject } from '../../runtime/objects/guards.js';
import { scenariosOf } from '../support/recorded-scenarios.js';
import { startReference } from '../support/reference-server.js';
import { testFolder } from '../support/scratch-folder.js';
import { hasShared, root } from '../support/shared.js';
import { replay } from './replay.js';

const isDefinitions = (path: string): boolean => path.split('?')[0]?.includes('/customresourcedefinitions') === true;

/** Writes each accepted definition to a file. */
function writeDefinitions(folder: string): void {
  for (const { request, response } of scenariosOf('cel').flatMap(({ steps }) => steps)) {
    if (request?.method !== 'POST' || !isDefinitions(request.path) || !isObject(request.body)) continue;
    if (request.path.includes('?dryRun') || (response !== undefined && response.status !== 201)) continue;
    const { metadata } = request.body;
    const name = isObject(metadata) ? String(metadata.name) : '';
    writeFileSync(join(folder, `${name}.yaml`), JSON.stringify(request.body));
  }
}

describe.skipIf(!hasShared)('recorded rules (skipped if the recordings are not beside the checkout)', () => {
  it('accept and refuse the same objects, in the same words', { timeout: 400_000 }, async () => {
    const folder = testFolder();
    writeDefinitions(folder);
    const running = await startReference({ schemas: folder });
    const about = (path: string): boolean => !isDefinitions(path);
    const { compared, differing } = await replay('cel', running.url, { about, words: true }).finally(() =>
      running.stop(),
    );
    console.info(`rules: ${compared - differing.size} of ${compared} exchanges agree`);
    const superseded = Object.keys(
      JSON.parse(readFileSync(join(root, 'test/conformance/superseded.json'), 'utf8')).cel,
    );
    const left = [...differing].filter(([name]) => !superseded.includes(name));
    expect(Object.fromEntries(left)).toEqual({});
    expect(compared).toBeGreaterThan(150);
  });
});
