import { renameSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Changes, watchFiles } from '../../../../../bin/project/dev/watch.js';
import { eventually } from '../../../../support/eventually.js';
import { testFolder, write } from '../../../../support/scratch-folder.js';

/** Watches a folder, and collects the reported changes. */
function watched(): { folder: string; changes: Changes[]; told: (change: Changes) => Promise<void> } {
  const folder = testFolder({ 'a.ts': '1', 'b.ts': '1', 'other.ts': '1', 'schemas/one.yaml': '1' });
  for (const name of ['a.ts', 'b.ts', 'schemas/one.yaml']) utimesSync(join(folder, name), 1, 1);
  const changes: Changes[] = [];
  const watching = watchFiles((change) => void changes.push(change));
  onTestFinished(() => watching.close());
  watching.follow(
    { files: [join(folder, 'a.ts'), join(folder, 'b.ts')], schemas: join(folder, 'schemas') },
    Date.now(),
  );
  const told = async (change: Changes): Promise<void> => {
    const inFolder = (names: readonly string[]): readonly string[] => names.map((name) => join(folder, name));
    const files = { ...change, code: inFolder(change.code), same: inFolder(change.same) };
    await eventually(() => expect(changes).toContainEqual(files));
    changes.length = 0;
  };
  return { folder, changes, told };
}

it('reports code that is written, put in place, or removed', async () => {
  const { folder, told } = watched();
  write(folder, { 'a.ts': '22' });
  await told({ code: ['a.ts'], same: [], definitions: false });
  write(folder, { 'b.ts.swap': '333' });
  renameSync(join(folder, 'b.ts.swap'), join(folder, 'b.ts'));
  await told({ code: ['b.ts'], same: [], definitions: false });
  rmSync(join(folder, 'a.ts'));
  await told({ code: ['a.ts'], same: [], definitions: false });
});

it('recognizes unchanged code, whatever the comment at its head says', async () => {
  const { folder, told } = watched();
  write(folder, { 'a.ts': '// made of one.yaml (0123)\n1' });
  await told({ code: [], same: ['a.ts'], definitions: false });
  write(folder, { 'a.ts': '// made of one.yaml (4567)\n// by hand\n1' });
  await told({ code: [], same: ['a.ts'], definitions: false });
  write(folder, { 'a.ts': '2\n// made of one.yaml (4567)\n' });
  await told({ code: ['a.ts'], same: [], definitions: false });
});

it('reports definitions, in new folders too, and no other file', async () => {
  const { folder, changes, told } = watched();
  write(folder, { 'schemas/one.yaml': '22' });
  await told({ code: [], same: [], definitions: true });
  write(folder, { 'schemas/deep/er/two.yaml': '1', 'other.ts': '22', 'schemas/README.md': '1' });
  await told({ code: [], same: [], definitions: true });
  rmSync(join(folder, 'schemas/one.yaml'));
  await told({ code: [], same: [], definitions: true });
  expect(changes).toEqual([]);
});

it('reports changes since the given time', async () => {
  const folder = testFolder({ 'a.ts': '1', 'b.ts': '1' });
  utimesSync(join(folder, 'a.ts'), 1, 1);
  const changes: Changes[] = [];
  const watching = watchFiles((change) => void changes.push(change));
  onTestFinished(() => watching.close());
  watching.follow({ files: [join(folder, 'a.ts'), join(folder, 'b.ts')] }, Date.now() - 60_000);
  await eventually(() => expect(changes).toEqual([{ code: [join(folder, 'b.ts')], same: [], definitions: false }]));
});

it('reports files that are added to a folder with code of the project', async () => {
  const folder = testFolder({ 'a.ts': '1' });
  const changes: Changes[] = [];
  const watching = watchFiles((change) => void changes.push(change));
  onTestFinished(() => watching.close());
  watching.follow({ files: [], allBelow: folder }, Date.now() + 60_000);
  write(folder, { 'deep/b.ts': '1' });
  await eventually(() =>
    expect(changes).toEqual([{ code: [join(folder, 'deep/b.ts')], same: [], definitions: false }]),
  );
});
