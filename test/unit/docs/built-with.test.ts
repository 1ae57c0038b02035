/** The page about dependencies has a row for each of them, in the table for whoever installs it, and no others. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manifest } from '../../support/package-build.js';
import { root } from '../../support/shared.js';

const page = readFileSync(join(root, 'docs/built-with.md'), 'utf8');

/** Reads the rows below a heading, as cells. */
function rowsOf(heading: string): readonly (readonly string[])[] {
  const [, section = ''] = page.split(`## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

describe.each([
  ['Installed with it', manifest.dependencies],
  ['Installed by those who need them', manifest.peerDependencies],
])('%s', (heading, dependencies) => {
  const rows = rowsOf(heading);

  it('has one row for each package of package.json, by name', () =>
    expect(rows.map(([name]) => name)).toEqual(
      Object.keys(dependencies)
        .sort()
        .map((name) => `\`${name}\``),
    ));

  it('has the purpose and the alternatives of each', () => {
    for (const row of rows)
      expect(
        row.filter((cell) => cell.length > 3),
        row.join(),
      ).toHaveLength(3);
  });
});
