import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isAlive, parseOwner, thisProcess } from '../../../../../runtime/storage/backends/owner.js';
import { testFolder } from '../../../../support/scratch-folder.js';

describe('an owner', () => {
  let folder: string;
  let heartbeat: string;
  beforeEach(() => {
    folder = testFolder();
    heartbeat = join(folder, 'owner');
  });

  it('is alive while its process is', async () => {
    expect(await isAlive(thisProcess(), heartbeat)).toBe(true);
    expect(await isAlive({ ...thisProcess(), pid: 2 ** 22 + 1 }, heartbeat)).toBe(false);
  });

  // Only /proc has the start times of processes and of the system.
  it.runIf(process.platform === 'linux')('is not the process that got its number later', async () => {
    expect(await isAlive({ ...thisProcess(), started: '1' }, heartbeat)).toBe(false);
    expect(await isAlive({ ...thisProcess(), boot: 'another boot' }, heartbeat)).toBe(false);
  });

  it.runIf(process.platform === 'linux')('in another container is known by its heartbeat', async () => {
    const elsewhere = { ...thisProcess(), namespace: 'pid:[1]', pid: 1 };
    expect(await isAlive(elsewhere, heartbeat)).toBe(false);
    await writeFile(heartbeat, '1');
    expect(await isAlive(elsewhere, heartbeat)).toBe(false);
    const beating = setInterval(() => void utimes(heartbeat, new Date(), new Date()), 100);
    expect(await isAlive(elsewhere, heartbeat)).toBe(true);
    clearInterval(beating);
  });

  it('is read from JSON only', () => {
    expect(parseOwner(JSON.stringify(thisProcess()))).toEqual(thisProcess());
    for (const text of [
      '',
      '{}',
      'null',
      '[]',
      '{"pid":"1"}',
      '{"pid":1,"host":"h","started":"1","boot":2,"namespace":""}',
    ]) {
      expect(parseOwner(text)).toBeUndefined();
    }
  });
});
