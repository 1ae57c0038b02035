/** Sides are read from files, folders and revisions of git, with the lines of their parts. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diffSides } from '../../../../../generator/diff/diff.js';
import { readRevision } from '../../../../../generator/diff/sides/git.js';
import { readSide } from '../../../../../generator/diff/sides/read-side.js';
import { isBroken } from '../../../../../generator/diff/sides/side.js';
import { scratchFolder } from '../../../../support/scratch-folder.js';
import { root } from '../../../../support/shared.js';

const scratch = scratchFolder();
const back = process.cwd();
const hasGit = spawnSync('git', ['--version']).status === 0;

function git(...args: readonly string[]): void {
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: scratch, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

beforeAll(() => {
  const schemas = join(scratch, 'part', 'schemas');
  cpSync(join(root, 'examples/shop/schemas'), schemas, { recursive: true });
  for (const path of ['.hidden.yaml', 'node_modules/a.yaml', 'out/manifest.json', 'out/a.yaml', 'lock/a.yaml']) {
    mkdirSync(join(schemas, path, '..'), { recursive: true });
    writeFileSync(join(schemas, path), '{}');
  }
  writeFileSync(join(schemas, 'lock/protobuf.json'), '{ "messages": {} }');
  if (hasGit) {
    git('init', '-q');
    git('add', '-A', '-f');
    git('commit', '-q', '-m', 'a');
  }
  const file = join(schemas, 'widgets.yaml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('maxLength: 20', 'maxLength: 10'));
  process.chdir(join(scratch, 'part'));
});
afterAll(() => process.chdir(back));

describe.skipIf(!hasGit)('a revision of git', () => {
  test('has the files of the definitions folder, and its lock', () => {
    const { files, lock, isFolder } = readRevision('HEAD:schemas');
    expect(files.map(({ path }) => path)).toEqual(['widgets.yaml']);
    expect(lock).toContain('messages');
    expect(isFolder).toBe(true);
    expect(readRevision('HEAD:schemas/widgets.yaml')).toMatchObject({ isFolder: false, path: 'schemas/widgets.yaml' });
    expect(readRevision('HEAD:../part/schemas/').files).toHaveLength(1);
  });

  test('is compared with the working tree, with places in both', async () => {
    const old = await readSide('git:HEAD:schemas');
    const { findings } = diffSides(old, await readSide('schemas', old));
    expect(findings).toMatchObject([
      {
        severity: 'break',
        difference: { path: 'spec.colours[]', keyword: 'maxLength' },
        old: { file: 'HEAD:schemas/widgets.yaml', line: 47, isLocal: false },
        new: { file: join('schemas', 'widgets.yaml'), line: 47, isLocal: true },
      },
    ]);
  });

  test.each([
    ['--output=x:schemas', 'this is not a revision'],
    ['a b:schemas', 'this is not a revision'],
    ['nowhere:schemas', 'there is no such revision here'],
    ['HEAD:nothing', 'no such file or folder'],
    ['HEAD:../../outside', 'outside of the repository'],
  ])('%s is refused', (text, message) => {
    expect(() => readRevision(text)).toThrow(message);
  });
});

describe('other sides', () => {
  test('are refused if their name is wrong, with the reason', async () => {
    await expect(readSide('nothing')).rejects.toThrow('nothing does not exist');
    await expect(readSide('server:nothing')).rejects.toThrow('this is not a URL');
    await expect(readSide('kubeconfig:')).rejects.toThrow('the file is missing');
    await expect(readSide('kubeconfig:nothing')).rejects.toThrow('kubeconfig:nothing: no kubeconfig at');
    const broken = join(scratch, 'broken.yaml');
    writeFileSync(broken, 'a: [\n');
    await expect(readSide(`kubeconfig:${broken}`)).rejects.toThrow(/^kubeconfig:\S+: [^\n]+$/);
  });

  test('must have definitions of resources, or nothing would be compared', async () => {
    for (const text of ['', '---\n# none\n---\n']) {
      const file = join(scratch, 'empty.yaml');
      writeFileSync(file, text);
      await expect(readSide(file)).rejects.toThrow('has no definitions of resources');
    }
  });

  test('share the parts that are the same in both', async () => {
    const [one, other] = [join(scratch, 'one'), join(scratch, 'other')];
    for (const folder of [one, other]) cpSync(join(root, 'examples/shop/schemas'), folder, { recursive: true });
    const old = await readSide(one);
    const next = await readSide(other, old);
    expect(next.definitions.model.resources[0]).toBe(old.definitions.model.resources[0]);
    expect(isBroken(next)).toBe(false);
  });

  test('lack nothing if one is a part of the other', async () => {
    const folder = join(scratch, 'several');
    cpSync(join(root, 'examples/shop/schemas'), folder, { recursive: true });
    const file = readFileSync(join(folder, 'widgets.yaml'), 'utf8');
    writeFileSync(
      join(folder, 'gadgets.yaml'),
      file.replaceAll('widgets', 'gadgets').replaceAll('Widget', 'Gadget').replace('[wd]', '[gd]'),
    );
    const all = await readSide(folder);
    const one = await readSide(join(folder, 'widgets.yaml'));
    expect(diffSides(all, one).findings).toEqual([]);
    expect(diffSides({ ...all, extent: 'server' }, { ...one, extent: 'folder' }).findings).toEqual([]);
    expect(diffSides(all, { ...one, extent: 'folder' }).findings).toMatchObject([
      { severity: 'break', difference: { resource: 'gadgets.shop.example.com', keyword: 'resource' } },
    ]);
  });
});
