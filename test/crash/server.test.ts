/**
 * Kills a server on lmdb again and again while many clients create objects. Acknowledged objects remain, whole and
 * unchanged, and the server continues without errors.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isConnectionError, isServiceUnavailable } from '../../client/index.js';
import { createClient } from '../../generated/client.js';
import type { coreV1 } from '../../generated/index.js';
import { withoutProgress } from '../support/pages/transcript.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { collect } from '../support/sdk.js';
import { type Ended, runCommand, type ServerProcess, startServerProcess } from '../support/server-process.js';

/** The total number of creates. */
const total = 5_000;
const concurrency = 32;
const kills = 4;

/** Makes the contents of an object from its name, up to 2 KiB. So the test can check every object. */
function dataOf(name: string): Record<string, string> {
  const digest = createHash('sha256').update(name).digest('hex');
  return { digest, filling: digest.repeat((Number.parseInt(digest.slice(0, 4), 16) % 32) + 1) };
}

const mapsAt = (url: string) => createClient({ baseUrl: url }).core.v1.configMaps.in('default');

/** Creates objects from many clients at once, and keeps the acknowledged names. */
class Writers {
  readonly acknowledged = new Map<string, coreV1.ConfigMap>();
  /** Names without an answer. The objects may exist or not. */
  readonly unknown = new Set<string>();
  #next = 0;
  #killAt = Number.POSITIVE_INFINITY;
  #kill = (): void => {};

  /** Calls `kill` once, after so many requests. */
  killAt(sent: number, kill: () => void): void {
    this.#killAt = sent;
    this.#kill = kill;
  }

  /** Writes until all objects are written or the server has ended. */
  async writeTo(url: string): Promise<void> {
    const maps = mapsAt(url);
    const write = async (): Promise<void> => {
      while (this.#next < total) {
        const name = `object-${String(this.#next++).padStart(5, '0')}`;
        this.unknown.add(name);
        const created = await maps.create({ metadata: { name }, data: dataOf(name) }).catch(unlessGone);
        if (created === undefined) return;
        this.unknown.delete(name);
        this.acknowledged.set(name, created);
        if (this.#next < this.#killAt) continue;
        this.#killAt = Number.POSITIVE_INFINITY;
        this.#kill();
      }
    };
    await Promise.all(Array.from({ length: concurrency }, write));
  }
}

/** Ignores a missing answer, or an answer that the server is about to end. */
function unlessGone(error: unknown): undefined {
  if (!isConnectionError(error) && !isServiceUnavailable(error)) throw error;
}

/** Compares the objects of a server with the acknowledged names. Returns the highest revision. */
async function check(url: string, writers: Writers): Promise<number> {
  const found = new Map<string, coreV1.ConfigMap>();
  for await (const map of mapsAt(url).each({ limit: 1000 })) found.set(map.metadata.name ?? '', map);
  for (const [name, map] of found) {
    const acknowledged = writers.acknowledged.get(name);
    if (acknowledged) expect(map).toEqual(acknowledged);
    else expect(writers.unknown.has(name), name).toBe(true);
    expect(map.data).toEqual(dataOf(name));
  }
  expect([...writers.acknowledged.keys()].filter((name) => !found.has(name))).toEqual([]);
  const revisions = [...found.values()].map(({ metadata }) => Number(metadata.resourceVersion));
  expect(new Set(revisions).size).toBe(revisions.length);
  return Math.max(0, ...revisions);
}

/** Checks a server after another start. Its next write must have a later revision than all earlier objects. */
async function checkAndProbe(url: string, writers: Writers, newest: number): Promise<number> {
  const kept = await check(url, writers);
  const { metadata } = await mapsAt(url).create({ metadata: { name: 'probe' } });
  const probed = Number(metadata.resourceVersion);
  expect(probed).toBeGreaterThan(Math.max(kept, newest));
  await mapsAt(url).delete('probe');
  return probed;
}

describe('a server on lmdb', () => {
  const folders = scratchFolder();
  let folder: string;
  const running = new Set<ServerProcess>();
  beforeEach(() => {
    folder = mkdtempSync(join(folders, 'data-'));
  });
  afterEach(async () => {
    for (const server of running) await server.end('SIGKILL');
    running.clear();
  });

  const serve = async (): Promise<ServerProcess> => {
    const server = await startServerProcess('--storage', `lmdb:${folder}`);
    running.add(server);
    return server;
  };

  it(`loses none of ${total} creates to ${kills} kills`, async () => {
    const writers = new Writers();
    const moments = Array.from({ length: kills }, () => Math.random() * (total - 2 * concurrency)).sort(
      (a, b) => a - b,
    );
    let newest = 0;
    for (const moment of moments) {
      const server = await serve();
      newest = await checkAndProbe(server.url, writers, newest);
      const killed = new Promise<Ended>((resolve) => {
        writers.killAt(moment, () => void server.end('SIGKILL').then(resolve));
      });
      await writers.writeTo(server.url);
      // No server reported errors, however the server before it had ended.
      expect(withoutProgress((await killed).err)).toBe('');
    }
    const last = await serve();
    await checkAndProbe(last.url, writers, newest);
    await writers.writeTo(last.url);
    await check(last.url, writers);
    const { code, err } = await last.end('SIGTERM');
    expect(withoutProgress(err)).toBe('');
    expect(code).toBe(0);
    expect(writers.acknowledged.size + writers.unknown.size).toBe(total);
    expect(writers.unknown.size).toBeLessThanOrEqual(kills * concurrency);
  });

  it('loses nothing when it stops during writes', async () => {
    const writers = new Writers();
    const server = await serve();
    const stopped = new Promise<Ended>((resolve) => {
      writers.killAt(500, () => void server.end('SIGTERM').then(resolve));
    });
    const watch = mapsAt(server.url).watch();
    const watched = collect(watch);
    await writers.writeTo(server.url);
    const { code, err } = await stopped;
    expect([code, withoutProgress(err)]).toEqual([0, '']);
    // The watch ended in order, after the server had sent all stored objects.
    const told = (await watched).map(({ object }) => object.metadata.name);
    const again = await serve();
    await check(again.url, writers);
    const stored = await collect(mapsAt(again.url).each());
    expect(told.sort()).toEqual(stored.map(({ metadata }) => metadata.name).sort());
    // The server also answered every accepted request.
    expect(stored.filter(({ metadata }) => !writers.acknowledged.has(metadata.name ?? ''))).toEqual([]);
  });

  it('refuses other servers over its data', async () => {
    const server = await serve();
    const second = await runCommand(
      'serve',
      '--http-port',
      'auto',
      '--secure-port',
      '0',
      '--storage',
      `lmdb:${folder}`,
    );
    expect(second).toMatchObject({ code: 2, out: '' });
    expect(second.err).toBe(
      `kindforge: ${folder} is in use by process ${server.pid}; stop that process, or choose another data folder\n`,
    );
    // The first server still works.
    await mapsAt(server.url).create({ metadata: { name: 'still-here' } });
    await server.end('SIGKILL');
    const heir = await serve();
    expect((await mapsAt(heir.url).get('still-here')).metadata.name).toBe('still-here');
  });
});
