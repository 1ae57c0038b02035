/** Tests which files the command runs although nobody named them. */
import { chmodSync, chownSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findKubeconfig } from '../../../../../bin/objects/target.js';
import { loadProject } from '../../../../../bin/project/index.js';
import { foldersOfPackage, foreignProblem } from '../../../../../bin/project/load/foreign-file.js';
import { testFolder } from '../../../../support/scratch-folder.js';

const config = 'kindforge.config.mjs';
const planted = { [config]: "throw new Error('planted')" };
const isRoot = process.getuid?.() === 0;
const me = { uid: process.getuid?.(), gid: process.getgid?.() };

describe('the searched folders', () => {
  it.each([
    [{ 'a/b/file': '' }, ['a/b']],
    [{ 'package.json': '{}', 'a/b/file': '' }, ['a/b', 'a', '']],
    [{ 'a/package.json': '{}', 'package.json': '{}', 'a/b/file': '' }, ['a/b', 'a']],
    [{ '.git/config': '', 'a/package.json': '{}', 'a/b/file': '' }, ['a/b', 'a', '']],
    [{ 'package.json': '{}', 'a/.git/config': '', 'a/b/file': '' }, ['a/b', 'a']],
  ])('with %j are %j', (files, folders) => {
    const root = testFolder(files);
    expect(foldersOfPackage(join(root, 'a/b'))).toEqual(folders.map((folder) => join(root, folder)));
  });

  it('have no configuration of a folder above that is neither a repository nor a package', async () => {
    const root = testFolder({ ...planted, 'a/file': '' });
    expect(await loadProject(join(root, 'a'))).toBeUndefined();
    await expect(loadProject(root)).rejects.toThrow('planted');
  });

  it('have no credentials of a folder above that is neither a repository nor a package', () => {
    const root = testFolder({ '.kindforge/data/credentials/kubeconfig': '{}', 'a/file': '' });
    const find = (folder: string) => findKubeconfig({ folder, environment: { HOME: join(root, 'home') } })?.path;
    expect(find(join(root, 'a'))).toBeUndefined();
    expect(find(root)).toBe(join(root, '.kindforge/data/credentials/kubeconfig'));
  });
});

describe('a file', () => {
  it.each([
    [0o600, 0o700, undefined],
    [0o644, 0o755, undefined],
    [0o664, 0o775, undefined],
    [0o646, 0o755, 'can be written by other users (mode 646)'],
    [0o644, 0o757, 'its folder FOLDER can be written by other users (mode 757)'],
    [0o644, 0o1777, 'its folder FOLDER can be written by other users (mode 1777)'],
  ])('of mode %o in a folder of mode %o: %s', async (file, folder, problem) => {
    const root = testFolder(planted);
    chmodSync(join(root, config), file);
    chmodSync(root, folder);
    expect(foreignProblem(join(root, config))).toBe(problem?.replace('FOLDER', root));
    await expect(loadProject(root)).rejects.toThrow(problem?.replace('FOLDER', root) ?? 'planted');
  });

  it.runIf(isRoot)('that a group may write is refused unless the group is the user’s own', () => {
    const root = testFolder(planted);
    chmodSync(join(root, config), 0o664);
    chownSync(join(root, config), 0, 4242);
    expect(foreignProblem(join(root, config))).toBe('can be written by other users (mode 664)');
    expect(foreignProblem(join(root, config), { uid: 0, gid: 4242 })).toBeUndefined();
  });

  it("of another user is refused, except root's", () => {
    const root = testFolder(planted);
    const other = { uid: (me.uid ?? 0) + 1, gid: me.gid };
    const problem = foreignProblem(join(root, config), other);
    if (isRoot) expect(problem).toBeUndefined();
    else expect(problem).toBe(`is owned by another user (uid ${me.uid})`);
  });

  it.runIf(isRoot)('of another user is not run, whether the file or its folder belongs to them', async () => {
    const root = testFolder({ ...planted, '.kindforge/data/credentials/kubeconfig': '{}' });
    chownSync(join(root, config), 4242, 4242);
    await expect(loadProject(root)).rejects.toThrow(
      /is not run: it is owned by another user \(uid 4242\); .*--project/,
    );
    chownSync(join(root, config), 0, 0);
    chownSync(root, 4242, 4242);
    await expect(loadProject(root)).rejects.toThrow(`its folder ${root} is owned by another user (uid 4242)`);
    chownSync(join(root, '.kindforge/data/credentials/kubeconfig'), 4242, 4242);
    expect(() => findKubeconfig({ folder: root, environment: {} })).toThrow(/is not used: it is owned by another user/);
  });

  it('behind a link is judged by its own path', async () => {
    const root = testFolder({ 'open/real.mjs': "throw new Error('planted')" });
    mkdirSync(join(root, 'own'));
    symlinkSync(join(root, 'open/real.mjs'), join(root, 'own', config));
    expect(foreignProblem(join(root, 'own', config))).toBeUndefined();
    chmodSync(join(root, 'open'), 0o777);
    expect(foreignProblem(join(root, 'own', config))).toMatch(/open can be written by other users/);
  });

  it('that the user names is run, with the modules that it names', async () => {
    const root = testFolder({
      'kindforge.config.yaml': 'emitters: [./parts/emitter.mjs]\nout: named',
      'parts/emitter.mjs': "export default { name: 'mine', emitModel: () => [] }",
    });
    chmodSync(join(root, 'parts'), 0o777);
    await expect(loadProject(root)).rejects.toThrow('can be written by other users');
    chmodSync(root, 0o777);
    expect((await loadProject(root, { file: root }))?.emitters).toMatchObject([{ name: 'mine' }]);
  });
});
