/** Snapshot files: they are read back unchanged, and any damage to a file is found. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../../runtime/contract/index.js';
import {
  aesgcm,
  Encryption,
  receiveSnapshot,
  type State,
  snapshotBytes,
  soundSnapshot,
  verifySnapshot,
  writeSnapshot,
} from '../../../../../runtime/storage/index.js';
import { openSnapshot } from '../../../../../runtime/storage/transfer/read-snapshot.js';
import { encodeEnd, encodeRecord } from '../../../../../runtime/storage/transfer/snapshot-format.js';
import { scratchFolder } from '../../../../support/scratch-folder.js';
import { textOf } from '../../../../support/store-objects.js';

const folder = scratchFolder();
let files = 0;

const newPath = (): string => join(folder, `${++files}.kfs`);

function entry(name: string, revision: number, data = ''): Entry {
  const object = { metadata: { name, namespace: 'n', resourceVersion: String(revision) }, data };
  const attributes = { labels: {}, fields: {} };
  return { key: `g/things/n/${name}`, revision, bytes: Buffer.from(JSON.stringify(object)), attributes };
}

const three: State = { revision: 12, entries: [entry('a', 3), entry('b', 12, 'ü𝄞'), entry('c', 1)] };

async function written(state: State = three): Promise<string> {
  const path = newPath();
  await writeSnapshot(path, state);
  return path;
}

/** Returns the errors of a snapshot in these bytes, with their keys, or an empty list. */
async function problemsOf(bytes: Uint8Array): Promise<readonly string[]> {
  const path = join(folder, 'damaged.kfs');
  writeFileSync(path, bytes);
  try {
    const { damage } = await verifySnapshot(path);
    return damage.map(({ key, problem }) => `${key}: ${problem}`);
  } catch (error) {
    return [String(error)];
  }
}

async function contents(path: string): Promise<readonly string[]> {
  const source = await openSnapshot(path);
  const found: string[] = [];
  for await (const { key, revision, bytes } of source.objects) found.push(`${key} ${revision} ${Buffer.from(bytes)}`);
  await source.close();
  expect(source.damage).toEqual([]);
  return found;
}

const lines = ({ entries }: State): readonly string[] =>
  entries.map((one) => `${one.key} ${one.revision} ${textOf(one)}`);

describe('a snapshot', () => {
  it('is read back unchanged', async () => {
    const path = await written();
    expect(await contents(path)).toEqual(lines(three));
    expect(await verifySnapshot(path)).toMatchObject({ objects: 3, oldest: 1, newest: 12, revision: 12, damage: [] });
  });

  it('may be empty', async () => {
    const path = await written({ revision: 7, entries: [] });
    expect(await verifySnapshot(path)).toEqual({ objects: 0, bytes: 0, oldest: 0, newest: 0, revision: 7, damage: [] });
  });

  it('may have objects that are larger than one read', async () => {
    const state = { revision: 2, entries: [entry('a', 1, 'x'.repeat(3_000_000)), entry('b', 2)] };
    expect(await contents(await written(state))).toEqual(lines(state));
  });

  it('can be read by its owner only, because it may have secrets', async () => {
    expect(statSync(await written()).mode & 0o777).toBe(0o600);
  });

  it('never replaces another file', async () => {
    const path = await written();
    const before = readFileSync(path);
    await expect(writeSnapshot(path, three)).rejects.toThrow('already exists');
    expect(readFileSync(path)).toEqual(before);
  });

  it('leaves nothing behind when it cannot be written', async () => {
    const before = readdirSync(folder);
    const entries = [entry('a', 1), entry('b', 2)];
    const path = newPath();
    const stop = (): never => {
      throw new Error('stopped');
    };
    await expect(writeSnapshot(path, { revision: 2, entries }, stop)).rejects.toThrow('stopped');
    expect(readdirSync(folder)).toEqual(before);
    await expect(writeSnapshot(join(folder, 'none', 'file'), three)).rejects.toThrow('ENOENT');
  });

  it('does not have its name before it is complete', async () => {
    const path = newPath();
    let seen = false;
    await writeSnapshot(path, three, () => {
      seen ||= existsSync(path);
    });
    expect([seen, existsSync(path)]).toEqual([false, true]);
  });
});

describe('damage to a snapshot', () => {
  it('is found wherever the file is cut off', async () => {
    const whole = readFileSync(await written());
    for (let length = 0; length < whole.length; length++) {
      expect(await problemsOf(whole.subarray(0, length)), `${length} of ${whole.length}`).not.toEqual([]);
    }
  });

  it('is found for any changed bit', async () => {
    const whole = readFileSync(await written());
    for (let at = 0; at < whole.length * 8; at++) {
      const bytes = Buffer.from(whole);
      bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7));
      expect(await problemsOf(bytes), `bit ${at}`).not.toEqual([]);
    }
  });

  it('is found when something follows', async () => {
    const whole = readFileSync(await written());
    expect(await problemsOf(Buffer.concat([whole, Buffer.of(0)]))).toEqual([
      ': there are bytes after the end of the snapshot',
    ]);
  });

  it('is reported with the keys of all damaged objects', async () => {
    const whole = readFileSync(await written());
    for (const text of ['"name":"a"', '"name":"c"']) whole[whole.indexOf(text) + 2] = 0x20;
    expect(await problemsOf(whole)).toEqual([
      'g/things/n/a: its record fails its checksum',
      'g/things/n/c: its record fails its checksum',
    ]);
  });

  it('is found in single whole records', async () => {
    const whole = readFileSync(await written());
    const records = three.entries.map(({ key, revision, bytes: body }) =>
      encodeRecord({ kind: 'object', key, revision, body }),
    );
    const [first = whole, second = whole, third = whole] = records;
    const head = whole.subarray(0, whole.indexOf(first));
    const end = whole.subarray(head.length + Buffer.concat(records).length);
    expect(await problemsOf(Buffer.concat([head, first, second, third, end]))).toEqual([]);
    expect(await problemsOf(Buffer.concat([head, first, third, end]))).toEqual([': the snapshot has 2 of 3 objects']);
    expect(await problemsOf(Buffer.concat([head, second, first, third, end]))).toEqual([
      'g/things/n/a: its record is out of order or repeated',
    ]);
    expect(await problemsOf(Buffer.concat([head, first, first, third, end]))).toEqual([
      'g/things/n/a: its record is out of order or repeated',
    ]);
    const { bytes } = entry('b', 12, 'uu𝄞');
    const other = encodeRecord({ kind: 'object', key: 'g/things/n/b', revision: 12, body: bytes });
    expect(await problemsOf(Buffer.concat([head, first, other, third, end]))).toEqual([
      ': the snapshot as a whole fails its checksum',
    ]);
    const claim = encodeEnd({ objects: 3, bytes: 1, sha256: '' });
    expect((await problemsOf(Buffer.concat([head, first, second, third, claim])))[0]).toMatch(
      /the snapshot has .* bytes of objects/,
    );
  });

  it('is found in objects that do not match their record', async () => {
    const state = {
      revision: 9,
      entries: [
        { ...entry('a', 1), bytes: Buffer.from('[]') },
        { ...entry('b', 2), revision: 3 },
        { ...entry('c', 4), key: 'g/things/n/d' },
        { ...entry('e', 5), key: 'g/things/o/e' },
      ],
    };
    expect(await problemsOf(readFileSync(await written(state)))).toEqual([
      'g/things/n/a: the object stored at revision 1 is not a JSON object',
      'g/things/n/b: the object has resourceVersion "2", but is stored at revision 3',
      'g/things/n/d: the object stored here is named "c"',
      'g/things/o/e: the object stored here is in namespace "n"',
    ]);
  });

  it('is reported for other files', async () => {
    expect(await problemsOf(Buffer.from('kind: ConfigMap\n'))).toEqual([
      expect.stringContaining('this is not a snapshot that this version can read; use another snapshot'),
    ]);
    expect(await problemsOf(readFileSync(await written({ revision: 2 ** 53 - 1, entries: [] })))).toEqual([
      expect.stringContaining('the beginning of the snapshot is damaged'),
    ]);
    await expect(verifySnapshot(join(folder, 'none'))).rejects.toThrow('ENOENT');
  });
});

describe('a snapshot in pieces', () => {
  const many: State = {
    revision: 900,
    entries: Array.from({ length: 400 }, (_, i) => entry(`n${String(i).padStart(3, '0')}`, i + 1, 'x'.repeat(5000))),
  };

  /** Yields the pieces as they come over a network. */
  async function* sent(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    yield* pieces;
  }

  it('is received unchanged, in pieces of bounded size', async () => {
    const pieces = [...snapshotBytes(many)];
    expect(pieces.length).toBeGreaterThan(5);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(256 * 1024 + 10_000);
    const path = newPath();
    expect(await receiveSnapshot(path, sent(pieces))).toMatchObject({ objects: 400, revision: 900, damage: [] });
    expect(await contents(path)).toEqual(lines(many));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it.each<[string, (whole: Buffer) => Iterable<Uint8Array>]>([
    ['nothing', () => []],
    ['less than all', (whole) => [whole.subarray(0, whole.length / 2)]],
    ['all but the last byte', (whole) => [whole.subarray(0, -1)]],
    ['more than all', (whole) => [whole, Buffer.from('x')]],
    ['another byte', (whole) => [Buffer.from(whole.toString('latin1').replace('xxx', 'xyx'), 'latin1')]],
  ])('is refused if %s comes, and leaves no file', async (_what, change) => {
    const path = newPath();
    const before = readdirSync(folder);
    const whole = Buffer.concat([...snapshotBytes(many)]);
    await expect(receiveSnapshot(path, sent(change(whole)))).rejects.toThrow(/snapshot/);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('is refused with the reason if it breaks off, and leaves no file', async () => {
    const path = newPath();
    const before = readdirSync(folder);
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('KFSNAP1\n');
      throw new Error('the line is cut');
    }
    await expect(receiveSnapshot(path, broken())).rejects.toThrow('the line is cut');
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe('an encrypted snapshot', () => {
  const encryptionOf = (name: string): Encryption =>
    new Encryption([{ resources: ['*.g'], transformers: [aesgcm({ name, secret: Buffer.alloc(32, name) })] }]);

  async function encrypted(): Promise<string> {
    const path = newPath();
    await writeSnapshot(path, three, undefined, encryptionOf('a'));
    return path;
  }

  it('shows nothing of its objects, and is read with its key', async () => {
    const path = await encrypted();
    expect([readFileSync(path).includes('metadata'), readFileSync(path).includes('k8s:enc:aesgcm:v1:a:')]).toEqual([
      false,
      true,
    ]);
    const whole = { objects: 3, oldest: 1, newest: 12, revision: 12, damage: [] };
    expect(await verifySnapshot(path, undefined, encryptionOf('a'))).toEqual({ ...whole, bytes: expect.any(Number) });
    expect(await verifySnapshot(path)).toEqual({ ...whole, bytes: expect.any(Number), encrypted: 3 });
  });

  it('is not restored without its key', async () => {
    const path = await encrypted();
    await expect(soundSnapshot(path)).rejects.toThrow(
      `objects in ${path} cannot be decrypted:\ng/things/n/a: it is encrypted with key "a" of aesgcm, which`,
    );
    await expect(soundSnapshot(path, undefined, encryptionOf('b'))).rejects.toThrow('it is encrypted with key "a"');
    expect(await soundSnapshot(path, undefined, encryptionOf('a'))).toMatchObject({ objects: 3 });
  });

  it('is checked by its checksums without the key', async () => {
    const bytes = readFileSync(await encrypted());
    const at = bytes.indexOf('k8s:enc') + 40;
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    expect(await problemsOf(bytes)).toEqual(['g/things/n/a: its record fails its checksum']);
  });

  it('reports an object under the key of another', async () => {
    const path = newPath();
    const moved = { ...entry('a', 3), key: 'g/things/n/b' };
    await writeSnapshot(path, { revision: 3, entries: [moved] }, undefined, encryptionOf('a'));
    const { damage } = await verifySnapshot(path, undefined, encryptionOf('a'));
    expect(damage.map(({ problem }) => problem)).toEqual(['the object stored here is named "a"']);
  });
});
