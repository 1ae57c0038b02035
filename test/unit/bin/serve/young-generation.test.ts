/** The young generation stays small while much is made that stays, and grows again afterwards. */
import { execFileSync } from 'node:child_process';
import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';

const module = new URL('../../../../bin/serve/young-generation.ts', import.meta.url).href;

/** The young generation of a process of its own, in MiB, as it makes much that stays, in these ways one after the other. */
function sizes(ways: readonly string[]): readonly number[] {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import * as young from '${module}';
    const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
    const kept = [];
    const fill = async (pause) => {
      for (let i = 0; i < 1_000_000; i++) {
        kept.push({ i });
        // Within the time that an interval takes, no more than a server makes in it.
        if (i % 20_000 === 0) await new Promise((resolve) => setTimeout(resolve, pause));
      }
      return size();
    };
    const sizes = [];
    for (const way of [${ways.join(', ')}]) sizes.push(await way());
    console.log(JSON.stringify(sizes));
    globalThis.kept = kept;`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

const atStart = 'async () => young.withSmallYoungGeneration(() => fill(0))';
const bounded = 'async () => { const end = young.boundYoungGeneration(); await fill(60); end(); return size(); }';
const free = 'async () => fill(0)';

describe('the young generation', () => {
  it('stays small while data is loaded, and grows afterwards', () => {
    expect(getHeapSpaceStatistics().map(({ space_name }) => space_name)).toContain('new_space');
    const [during, after] = sizes([atStart, free]);
    expect(during).toBeLessThanOrEqual(4);
    expect(after).toBeGreaterThan(4);
  });

  it('grows to 24 MiB while a server works, and beyond only without the bound', { timeout: 30_000 }, () => {
    const [whileBounded, after] = sizes([bounded, free]);
    expect(whileBounded).toBeGreaterThan(4);
    expect(whileBounded).toBeLessThanOrEqual(24);
    expect(after).toBeGreaterThan(24);
  });
});
