import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { runInit } from '../../../bin/init.js';
import { projectFolder } from '../../support/project-folder.js';

/** Returns the lines that it printed, without the folder of the test. */
async function init(folder: string, name: string): Promise<{ ending: string; printed: string }> {
  const lines: string[] = [];
  const spies = [vi.spyOn(console, 'log'), vi.spyOn(console, 'error')];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  for (const spy of spies) spy.mockImplementation((line) => void lines.push(String(line)));
  const ending = await runInit(join(folder, name), { yes: true });
  return { ending, printed: lines.join('\n') };
}

it('quotes a folder that a shell would take for several words', async () => {
  const { ending, printed } = await init(projectFolder({}), "Jane's shop");
  expect(ending).toBe('done');
  expect(printed).toMatch(/^ {2}cd '[^ ]*\/Jane'\\''s shop'$/m);
});

it('refuses a file in place of a folder', async () => {
  const { ending, printed } = await init(projectFolder({ notes: '1' }), 'notes');
  expect(ending).toBe('refused');
  expect(printed).toContain('notes is a file: must be a folder');
});
