/** Runs `kindforge dev` on an example, edits a definition meanwhile, and records the output. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDev } from '../../../test/support/dev-process.js';
import { root } from '../../../test/support/shared.js';
import type { Step } from './recording.js';

/** Records the command. Replaces ports and times, which differ between runs. */
export async function recordDev(): Promise<readonly Step[]> {
  const folder = mkdtempSync(join(tmpdir(), 'kindforge-recording-'));
  const definition = join(folder, 'shop/widgets.yaml');
  cpSync(join(root, 'examples/hello'), join(folder, 'shop'), { recursive: true });
  writeFileSync(join(folder, 'kindforge.config.yaml'), '{ naming: kubernetes, schemas: shop, out: generated }\n');
  const before = readFileSync(definition, 'utf8');
  const edit = (line: string): void => writeFileSync(definition, before.replace(/^( *)size: .*/m, `$&\n$1${line}`));

  const dev = await startDev(folder, '--storage', 'memory');
  let read = 0;
  /** Returns the lines printed since the last call, once a whole line has the text. */
  const linesUntil = async (text: string): Promise<Step> => {
    await dev.until(text);
    while (!dev.printed().endsWith('\n')) await dev.until('\n');
    const printed = dev.printed().slice(read);
    read = dev.printed().length;
    return { printed: steady(printed).trimEnd().split('\n') };
  };
  try {
    const steps: Step[] = [{ typed: '$ kindforge dev --allow-everyone --storage memory' }];
    steps.push(await linesUntil('1 resource generated'));
    edit('colour: { type: strng }');
    steps.push({ typed: '# A field is added to widgets.yaml, with a mistake: colour: { type: strng }' });
    steps.push(await linesUntil('1 error in'));
    edit('colour: { type: string }');
    steps.push({ typed: '# The mistake is mended: colour: { type: string }' });
    steps.push(await linesUntil('1 resource generated'));
    return steps;
  } finally {
    await dev.stop();
    rmSync(folder, { recursive: true });
  }
}

const steady = (text: string): string =>
  text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080').replaceAll(/\d+ ms/g, '… ms');
