/**
 * Compares what each door of the package exports with its report in `docs/api/`. `UPDATE_GOLDEN=1` writes the reports.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiReports } from '../../support/api-report.js';
import { manifest } from '../../support/package-build.js';
import { root } from '../../support/shared.js';

const folder = join(root, 'docs/api');

const doors = Object.entries(manifest.exports).flatMap(([name, target]) =>
  typeof target === 'string'
    ? []
    : [{ name: name.replace('.', 'kindforge'), source: target.default.replace(/^\.\/dist\/(.*)\.js$/, '$1.ts') }],
);

/** Names the file of a door, such as `docs/api/storage-etcd.api.md`. */
const fileOf = (name: string): string => `${name.replace('kindforge/', '').replaceAll('/', '-')}.api.md`;

describe("the reports of the package's exports", () => {
  const reports = new Map([...apiReports(doors)].map(([name, text]) => [fileOf(name), text]));
  if (process.env.UPDATE_GOLDEN) {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    for (const [name, text] of reports) writeFileSync(join(folder, name), text);
  }

  it('are one for each door', () => expect(readdirSync(folder).sort()).toEqual([...reports.keys()].sort()));

  it.each([...reports])('%s lists the current exports', (name, text) =>
    expect(text, 'write it again with UPDATE_GOLDEN=1, and see docs/versioning.md').toBe(
      readFileSync(join(folder, name), 'utf8'),
    ),
  );
});
