/** The young generation stays small while much is made that stays, and grows again afterwards. */
import { execFileSync } from 'node:child_process';
import { getHeapSpaceStatistics } from 'node:v8';
import { describe, expect, it } from 'vitest';

const module = new URL('../../../../bin/serve/young-generation.ts', import.meta.url).href;

/** What a process of its own says of its young generation, in MiB, while and after it made much that stays. */
function sizes(): { readonly during: number; readonly after: number } {
  const script = `
    import { getHeapSpaceStatistics } from 'node:v8';
    import { withSmallYoungGeneration } from '${module}';
    const size = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size / 2 ** 20;
    const kept = [];
    const fill = async () => {
      for (let i = 0; i < 1_000_000; i++) kept.push({ i });
      return size();
    };
    const during = await withSmallYoungGeneration(fill);
    console.log(JSON.stringify({ during, after: await fill(), kept: kept.length }));`;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
}

describe('the young generation', () => {
  it('stays small while data is loaded, and grows afterwards', () => {
    expect(getHeapSpaceStatistics().map(({ space_name }) => space_name)).toContain('new_space');
    const { during, after } = sizes();
    expect(during).toBeLessThanOrEqual(4);
    expect(after).toBeGreaterThan(4);
  });
});
