/** The files and folders on the pages for contributors are in the repository. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../support/shared.js';

const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
const paths = new Set(files.flatMap((file) => [file, ...foldersOf(file)]));

function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

/** Files that `npm run build` writes, and the recordings beside the checkout. */
const untracked = /^(dist\/|etcd\.cjs$|\.\.\/)/;
const isPath = (text: string): boolean =>
  /^[\w.-]+(\/[\w.-]+)*\/?$/.test(text) && /\/|\.(ts|mjs|cjs|json|yaml|md)$/.test(text) && !untracked.test(text);

/** Returns the paths in backticks that do not exist. A path may begin at the root or in a folder that its section names. */
function missing(page: string): string[] {
  return page.split(/^##+ /m).flatMap((section) => {
    const named = [...section.matchAll(/`([^`\n]+)`/g)].map(([, text = '']) => text.replace(/\/$/, '')).filter(Boolean);
    const folders = new Set([
      '',
      ...named.filter((name) => paths.has(name)).flatMap((name) => [name, ...foldersOf(name)]),
    ]);
    return named.filter((name) => isPath(name) && ![...folders].some((folder) => paths.has(join(folder, name))));
  });
}

/** Returns the paths of a drawing of folders, in which two spaces are a level. */
function drawn(page: string): string[] {
  const [, tree = ''] = /^```text\n(.*?)^```/ms.exec(page) ?? [];
  const open: string[] = [];
  return [...tree.matchAll(/^( *)([\w.-]+)\/?(?: |$)/gm)].map(([, indent = '', name = '']) => {
    open.splice(indent.length / 2, Infinity, name);
    return open.join('/');
  });
}

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

it.each(['docs/architecture.md', 'docs/tours.md', 'docs/internals.md', 'CONTRIBUTING.md'])(
  '%s names existing files and folders',
  (file) => expect(missing(read(file))).toEqual([]),
);

it('docs/architecture.md draws existing folders', () => {
  const found = drawn(read('docs/architecture.md'));
  expect(found).toContain('runtime/http');
  expect(found.filter((path) => !paths.has(path))).toEqual([]);
});

it('finds a path that does not exist', () => {
  expect(missing('## A\n`runtime/none.ts`, `none.ts`, `app.ts`')).toEqual(['runtime/none.ts', 'none.ts', 'app.ts']);
  expect(missing('`runtime/http/` has `app.ts`; `a.b()`, `kindforge serve` and `/readyz` are not paths')).toEqual([]);
  expect(drawn('```text\na/  x\n  b/  x\n  c.ts  x\nd/  x\n```\n')).toEqual(['a', 'a/b', 'a/c.ts', 'd']);
});
