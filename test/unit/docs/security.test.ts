/** The threat model names existing tests, and every threat names one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../support/shared.js';

const page = readFileSync(join(root, 'docs/security.md'), 'utf8');
const linksIn = (text: string) => [...text.matchAll(/\[([^\]]+)\]\(\.\.\/((?:test|packages)\/[^)]+)\)/g)];

/** Describes the fault of a link to a test; empty if the file has a test, or a group, of that name. */
function problemOf(name: string, path: string): string[] {
  const file = join(root, path);
  if (!existsSync(file)) return [`${path} does not exist`];
  return name === path || readFileSync(file, 'utf8').includes(name) ? [] : [`${path} has no test "${name}"`];
}

it('the tests in the threat model exist', () => {
  const links = linksIn(page);
  expect(links.length).toBeGreaterThan(50);
  expect(links.flatMap(([, name = '', path = '']) => problemOf(name, path))).toEqual([]);
});

it('every threat has a defense and a test', () => {
  const rows = page
    .split('\n## ')
    .filter((section) => section.includes('| threat | defence | test |'))
    .flatMap((section) => section.split('\n').filter((line) => /^\| (?!threat|---)/.test(line)));
  expect(rows.length).toBeGreaterThan(40);
  const bare = rows.filter((row) => {
    const [threat, defence, test = '', ...more] = row.slice(2, -2).split(' | ');
    return !threat || !defence || linksIn(test).length === 0 || more.length > 0;
  });
  expect(bare).toEqual([]);
});
