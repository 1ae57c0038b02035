/** The promises of `Backend`, as tests that every backend with durable data runs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Backend, Checkpoint, Revision, StoredRecord } from '../../runtime/contract/index.js';

/** A set of data, empty at first. */
export interface BackendHarness {
  /** Makes a new backend on the data. */
  create(): Backend | Promise<Backend>;
  dispose(): Promise<void>;
}

export function record(key: string, revision: Revision, body: string, replaces: Revision = 0): StoredRecord {
  return { key, revision, replaces, deleted: false, bytes: Buffer.from(body) };
}

export function deletion(key: string, revision: Revision, body: string, replaces: Revision = 0): StoredRecord {
  return { ...record(key, revision, body, replaces), deleted: true };
}

export function checkpointAt(revision: Revision, oldestRevision: Revision = 0): Checkpoint {
  return { revision, oldestRevision, digest: revision % 1000, time: 1_700_000_000_000 + revision };
}

/** Prints a record as text, so that records can be kept and compared. */
export function describeRecord({ key, revision, replaces, deleted, bytes }: StoredRecord): string {
  return `${revision}${replaces ? `<${replaces}` : ''} ${deleted ? '-' : '+'}${key} ${Buffer.from(bytes).toString()}`;
}

/** Opens a backend and reads it to the end. */
export async function readAll(backend: Backend, options?: Parameters<Backend['open']>[0]) {
  const { checkpoint, records, damage } = await backend.open(options);
  const lines: { revision: Revision; line: string }[] = [];
  for await (const found of records) {
    const several = 'key' in found ? [found] : found;
    lines.push(...several.map((record) => ({ revision: record.revision, line: describeRecord(record) })));
  }
  lines.sort((a, b) => a.revision - b.revision);
  return { checkpoint, lines: lines.map(({ line }) => line), damage };
}

export function testBackend(name: string, createHarness: () => Promise<BackendHarness>): void {
  describe(`${name} keeps the promises of a backend`, () => {
    let harness: BackendHarness;
    let backend: Backend;

    beforeEach(async () => {
      harness = await createHarness();
      backend = await harness.create();
    });
    afterEach(async () => {
      await backend.close();
      await harness.dispose();
    });

    async function reopened(): Promise<Awaited<ReturnType<typeof readAll>>> {
      await backend.close();
      backend = await harness.create();
      return readAll(backend);
    }

    it('is empty at first', async () => {
      const { checkpoint, lines, damage } = await readAll(backend);
      expect({ revision: checkpoint.revision, oldest: checkpoint.oldestRevision, lines, damage }).toEqual({
        revision: 0,
        oldest: 0,
        lines: [],
        damage: [],
      });
    });

    it('returns batches and the last checkpoint', async () => {
      await readAll(backend);
      await backend.commit([record('g/a/1', 1, 'one'), record('g/a/2', 2, 'two')], checkpointAt(2), []);
      await backend.commit([record('g/ä/𝄞', 5, 'ü')], checkpointAt(5, 1), []);
      const { checkpoint, lines, damage } = await reopened();
      expect(checkpoint).toEqual(checkpointAt(5, 1));
      expect(lines).toEqual(['1 +g/a/1 one', '2 +g/a/2 two', '5 +g/ä/𝄞 ü']);
      expect(damage).toEqual([]);
    });

    it('keeps earlier versions and deletions until they are forgotten', async () => {
      await readAll(backend);
      await backend.commit([record('g/a/1', 1, 'one')], checkpointAt(1), []);
      await backend.commit([record('g/a/1', 2, 'two', 1)], checkpointAt(2), []);
      await backend.commit([deletion('g/a/1', 3, 'last', 2)], checkpointAt(3), []);
      expect((await reopened()).lines).toEqual(['1 +g/a/1 one', '2<1 +g/a/1 two', '3<2 -g/a/1 last']);
    });

    it('keeps what it commits after opening again', async () => {
      await readAll(backend);
      await backend.commit([record('g/a/1', 1, 'one')], checkpointAt(1), []);
      await reopened();
      await backend.commit([record('g/a/2', 2, 'two')], checkpointAt(2), []);
      await reopened();
      await backend.commit([record('g/a/3', 9, 'three')], checkpointAt(9), []);
      const { checkpoint, lines } = await reopened();
      expect(checkpoint.revision).toBe(9);
      expect(lines).toEqual(['1 +g/a/1 one', '2 +g/a/2 two', '9 +g/a/3 three']);
    });

    it('lets callers reuse the bytes after a commit', async () => {
      await readAll(backend);
      const bytes = Buffer.from('before');
      await backend.commit([{ ...record('g/a/1', 1, ''), bytes }], checkpointAt(1), []);
      bytes.fill('x');
      expect((await reopened()).lines).toEqual(['1 +g/a/1 before']);
    });

    it('keeps records of any size, and large batches', async () => {
      await readAll(backend);
      const sizes = [0, 1, 4000, 4096, 70_000, 5_000_000];
      const batch = sizes.map((size, index) => record(`g/a/${index}`, index + 1, 'x'.repeat(size)));
      await backend.commit(batch, checkpointAt(6), []);
      const many = Array.from({ length: 5000 }, (_, index) => record(`g/b/${index}`, index + 7, `body ${index}`));
      await backend.commit(many, checkpointAt(5006), []);
      expect((await reopened()).lines).toEqual([...batch, ...many].map(describeRecord));
    });

    it('keeps revisions and times far beyond 32 bits', async () => {
      await readAll(backend);
      const revision = Number.MAX_SAFE_INTEGER - 1;
      await backend.commit([record('g/a/1', revision, 'one')], checkpointAt(revision, revision - 1), []);
      const { checkpoint, lines } = await reopened();
      expect(checkpoint).toEqual(checkpointAt(revision, revision - 1));
      expect(lines).toEqual([`${revision} +g/a/1 one`]);
    });

    it('does not grow by forgotten records, and does not bring them back', async () => {
      await readAll(backend);
      const body = 'x'.repeat(100_000);
      await backend.commit([record('g/cold/1', 1, 'cold'), record('g/gone/1', 2, 'gone')], checkpointAt(2), []);
      await backend.commit([deletion('g/gone/1', 3, 'gone', 2)], checkpointAt(3), []);
      let forget: Revision[] = [2, 3];
      for (let revision = 4; revision < 404; revision++) {
        await backend.commit([record('g/hot/1', revision, body)], checkpointAt(revision, revision - 1), forget);
        forget = [revision];
      }
      const { lines } = await reopened();
      // The test has written 40 MB for one object of 100 kB.
      expect(lines.length).toBeLessThan(150);
      expect(lines).toContain('1 +g/cold/1 cold');
      expect(lines.at(-1)).toBe(`403 +g/hot/1 ${body}`);
      const returned = lines.includes('2 +g/gone/1 gone') && !lines.includes('3<2 -g/gone/1 gone');
      expect(returned).toBe(false);
    });
  });
}
