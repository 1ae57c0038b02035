/** A server on lmdb with a full disk reports it, continues to read, and writes again when there is room. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../support/ask.js';
import { runCommand, type ServerProcess, startServerProcess } from '../support/server-process.js';

const disk = mkdtempSync(join(tmpdir(), 'kindforge-disk-'));
const hasDisk = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=40m', 'tmpfs', disk]).status === 0;
if (!hasDisk) rmSync(disk, { recursive: true });
const maps = '/api/v1/namespaces/default/configmaps';

describe.runIf(hasDisk)(`a full disk${hasDisk ? '' : ' (skipped: no file system can be mounted here)'}`, () => {
  let server: ServerProcess;
  const filler = join(disk, 'filler');
  beforeAll(async () => {
    server = await startServerProcess('--storage', `lmdb:${join(disk, 'data')}`, '--controllers', 'none');
  });
  afterAll(async () => {
    await server?.end('SIGKILL');
    spawnSync('umount', [disk]);
    rmSync(disk, { recursive: true, force: true });
  });

  async function ask(method: string, path: string, body?: unknown) {
    const answer = await send(server, method, path, { body });
    const text = await answer.text();
    return { code: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  }
  /** Fills the disk to the last byte. */
  function fill(): void {
    rmSync(filler, { force: true });
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  }
  const create = (name: string) => ask('POST', maps, { metadata: { name }, data: { text: name.repeat(20_000) } });
  const names = async (): Promise<string[]> =>
    (await ask('GET', maps)).body.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);

  it('refuses writes with a reason, keeps and serves the stored objects, and recovers', async () => {
    writeFileSync(filler, Buffer.alloc(20 * 1024 * 1024));
    const stored: string[] = [];
    let refused = await create('first-one');
    for (let index = 1000; refused.code === 201 && index < 2000; index++) {
      stored.push(refused.body.metadata.name);
      refused = await create(`object-${index}`);
    }
    stored.sort();
    expect(refused).toMatchObject({
      code: 500,
      body: {
        kind: 'Status',
        reason: 'InternalError',
        message: expect.stringMatching(/^the change could not be stored: .*data\.mdb: no space left on the device$/),
      },
    });
    expect(stored.length).toBeGreaterThan(10);
    expect(await names()).toEqual(stored);
    expect((await ask('GET', '/readyz')).code).toBe(500);
    expect((await ask('GET', '/readyz/storage')).text).toContain('no space left on the device');
    expect((await ask('GET', '/livez')).code).toBe(200);

    rmSync(filler);
    expect((await create('there-is-room')).code).toBe(201);
    stored.push('there-is-room');
    stored.sort();
    expect((await ask('GET', '/readyz')).code).toBe(200);

    // Only the library prints the system's error.
    expect((await server.end('SIGKILL')).err).not.toContain('kindforge');
    server = await startServerProcess('--storage', `lmdb:${join(disk, 'data')}`, '--controllers', 'none');
    expect(await names()).toEqual(stored);
    expect((await create('and-on')).code).toBe(201);
  });

  it('allows deletions, and reports the full disk until large writes succeed again', async () => {
    rmSync(filler, { force: true });
    const left = 40 * 1024 * 1024 - 2 ** 20 * 8 - statSync(join(disk, 'data', 'data.mdb')).size;
    writeFileSync(filler, Buffer.alloc(left));
    const large = (name: string) => ask('POST', maps, { metadata: { name }, data: { text: 'x'.repeat(200_000) } });
    let refused = await large('large-0');
    for (let index = 1; refused.code === 201 && index < 500; index++) refused = await large(`large-${index}`);
    expect(refused.code).toBe(500);
    const finalizers = ['example.com/held'];
    for (let index = 0; refused.code !== 201 && index < 3; index++)
      refused = await ask('POST', maps, { metadata: { name: `held-${index}`, finalizers } });
    // Small writes do not use the reserve for deletions, and the server still reports the full disk.
    expect((await ask('POST', maps, { metadata: { name: 'small' } })).code).toBe(500);
    expect((await ask('GET', '/readyz')).code).toBe(500);
    expect((await ask('GET', '/readyz/storage')).text).toContain('no space left on the device');

    for (const name of (await names()).slice(0, 20)) {
      const { code, text } = await ask('DELETE', `${maps}/${name}`);
      expect([code, text]).toEqual([200, expect.anything()]);
    }
    expect((await ask('DELETE', maps)).code).toBe(200);
    expect(await names()).toEqual([]);

    rmSync(filler);
    while ((await ask('GET', '/readyz')).code !== 200) await sleep(200);
    expect((await large('again')).code).toBe(201);
    expect((await ask('GET', '/readyz')).code).toBe(200);
    await server.end('SIGKILL');
    server = await startServerProcess('--storage', `lmdb:${join(disk, 'data')}`, '--controllers', 'none');
    expect(await names()).toEqual(['again']);
  });

  it.each(['full before the stop', 'full since the stop'])(
    'does not prevent a start, although the start has something to write: %s',
    async (when) => {
      const wasFull = when === 'full before the stop';
      const place = join(disk, wasFull ? 'ran-full' : 'ran-empty');
      await server.end('SIGKILL');
      rmSync(filler, { force: true });
      for (const name of ['data', 'ran-full']) rmSync(join(disk, name), { recursive: true, force: true });
      const start = () => startServerProcess('--storage', `lmdb:${place}`, '--naming', 'kubernetes');
      server = await start();
      const role = '/apis/rbac.authorization.k8s.io/v1/clusterroles/system:discovery';
      // A start creates it again, and updates the endpoints of the server if the port has changed.
      expect((await ask('DELETE', role)).code).toBe(200);
      for (let index = 0; index < 20; index++) expect((await create(`kept-${index}`)).code).toBe(201);
      writeFileSync(filler, Buffer.alloc(16 * 1024 * 1024));
      if (wasFull) for (let index = 0; (await create(`more-${index}`)).code === 201; index++);
      const stored = await names();
      await server.end('SIGTERM');
      fill();
      server = await start();
      expect(await names()).toEqual(stored);
      expect((await ask('GET', '/readyz/storage')).text).toContain('no space left on the device');
      expect((await ask('GET', '/readyz')).code).toBe(500);
      expect((await ask('GET', role)).code).toBe(404);
      for (const name of stored.slice(0, 5)) expect((await ask('DELETE', `${maps}/${name}`)).code).toBe(200);
      expect((await ask('DELETE', maps)).code).toBe(200);
      expect(await names()).toEqual([]);
      expect((await create('too-much')).code).toBe(500);
      rmSync(filler);
      await expect.poll(async () => (await ask('GET', '/readyz')).code, { timeout: 30_000 }).toBe(200);
      expect((await ask('GET', role)).code).toBe(200);
    },
  );

  it('is the reported reason if a new store does not fit', async () => {
    rmSync(filler, { force: true });
    fill();
    const place = join(disk, 'other');
    const { code, err } = await runCommand(
      'serve',
      '--http-port',
      'auto',
      '--secure-port',
      '0',
      '--quiet',
      '--storage',
      `lmdb:${place}`,
    );
    expect(code).toBe(2);
    expect(err).toContain(disk);
    expect(err.toLowerCase()).toContain('no space left on');
    expect(existsSync(join(place, 'data.mdb'))).toBe(false);
    rmSync(filler);
  });
});
