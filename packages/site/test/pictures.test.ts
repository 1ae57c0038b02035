/**
 * The drawings and the recording in `docs/pictures/` are as their scripts make them. `UPDATE_PICTURES=1` writes them
 * again.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../../test/support/shared.js';
import { recordDev } from '../pictures/record-dev.js';
import { drawRecording } from '../pictures/recording.js';

const folder = join(root, 'docs/pictures');
const hasPackages = existsSync(join(root, 'packages/site/node_modules/@viz-js/viz'));

function compare(name: string, svg: string): void {
  if (process.env.UPDATE_PICTURES === '1') writeFileSync(join(folder, name), svg);
  expect(readFileSync(join(folder, name), 'utf8'), name).toBe(svg);
}

describe('the pictures', () => {
  it.skipIf(!hasPackages)('are drawn from their texts (skipped without the packages of packages/site)', async () => {
    const { drawAll } = await import('../pictures/draw.js');
    const drawn = await drawAll();
    expect([...drawn.keys(), 'dev.svg'].sort()).toEqual(
      readdirSync(folder)
        .filter((name) => name.endsWith('.svg'))
        .sort(),
    );
    for (const [name, svg] of drawn) compare(name, svg);
  });

  it('show what kindforge dev prints today', async () =>
    compare('dev.svg', drawRecording('A recording of kindforge dev', await recordDev())));

  it('are each shown by a page', () => {
    const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
    const texts = pages.map((name) => readFileSync(join(root, 'docs', name), 'utf8')).join('\n');
    for (const name of readdirSync(folder)) expect(texts, name).toContain(`](pictures/${name})`);
  });
});
