import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { tellLoading } from '../../../../bin/flags/project.js';

/** Records all progress in order. */
function listening() {
  const told: string[] = [];
  const step = (stage: string, done: number, total: number | undefined, what: string): void => {
    told.push(`${stage} ${done}${total ?? ''} ${what}`);
  };
  return { told, progress: { step, end: () => told.push('end') } };
}

describe('a project that loads', () => {
  it('reports the number of loaded modules, and then the project', async () => {
    const { told, progress } = listening();
    const load = async (): Promise<string> => {
      while (told.length < 2) await sleep(1);
      return 'project';
    };
    expect(await tellLoading(progress, load, 1)).toBe('project');
    expect(told.length).toBeGreaterThanOrEqual(3);
    expect(told.slice(0, -1).every((line) => /^loading \d+ modules of the project$/.test(line))).toBe(true);
    expect(told.at(-1)).toBe('end');
  });

  it('ends with an error if it has mistakes', async () => {
    const { told, progress } = listening();
    await expect(tellLoading(progress, () => Promise.reject(new Error('no')), 1)).rejects.toThrow('no');
    expect(told).toEqual(['end']);
  });
});
