import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type InitFlags, runInit } from '../../../bin/init.js';
import { testFolder } from '../../support/scratch-folder.js';

/** Returns the printed lines, without the folder of the test. */
async function init(folder: string, name: string, flags: InitFlags = {}): Promise<{ ending: string; printed: string }> {
  const lines: string[] = [];
  const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  for (const spy of spies) spy.mockImplementation((line) => void lines.push(String(line)));
  const ending = await runInit(join(folder, name), { ...flags, yes: true });
  return { ending, printed: lines.join('\n') };
}

it('quotes a folder that a shell would split into several words', async () => {
  const { ending, printed } = await init(testFolder(), "Jane's shop");
  expect(ending).toBe('done');
  expect(printed).toMatch(/^ {2}cd '[^ ]*\/Jane'\\''s shop'$/m);
});

it('refuses a file in place of a folder', async () => {
  const { ending, printed } = await init(testFolder({ notes: '1' }), 'notes');
  expect(ending).toBe('refused');
  expect(printed).toContain('notes is a file: must be a folder');
});

it.each([
  [{}, 'kubernetes', 'kubectl --server'],
  [{ naming: 'platform' }, 'platform', 'npx kindforge get orders --server'],
] as const)('explains the chosen names, and asks about them: %j', async (flags, naming, command) => {
  const folder = testFolder();
  await init(folder, 'shop', flags);
  const config = readFileSync(join(folder, 'shop/kindforge.config.ts'), 'utf8');
  expect(config).toMatch(new RegExp(`  // .*kubectl.*\\n  naming: '${naming}',`));
  expect(readFileSync(join(folder, 'shop/README.md'), 'utf8')).toContain(command);
});

it('lets nobody in without credentials except in development', async () => {
  const folder = testFolder();
  await init(folder, 'shop');
  const { scripts } = JSON.parse(readFileSync(join(folder, 'shop/package.json'), 'utf8'));
  expect(scripts).toMatchObject({ start: 'kindforge serve', dev: expect.stringContaining('--allow-everyone') });
  expect(readFileSync(join(folder, 'shop/kindforge.config.ts'), 'utf8')).not.toContain('allow-everyone');
});
