/** The page on test suites lists all flags of kube-apiserver with what becomes of each. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApiServerFlag, ApiServerFlagGroup, Treatment } from '../../../bin/envtest/api-server-flag.js';
import { apiServerFlags, otherReleases } from '../../../bin/envtest/api-server-flags.js';
import { root } from '../../support/shared.js';

const path = join(root, 'docs/envtest.md');

it('docs/envtest.md has the tables', () => {
  const page = readFileSync(path, 'utf8');
  const [before = ''] = page.split('\n### ');
  const expected = `${before.trimEnd()}\n\n${apiServerFlagTables([...apiServerFlags, otherReleases])}`;
  if (process.env.UPDATE_GOLDEN) writeFileSync(path, expected);
  expect(readFileSync(path, 'utf8')).toBe(expected);
});

const words: Readonly<Record<Treatment, string>> = {
  passed: 'passed on',
  used: 'used',
  unused: 'no effect',
  warned: 'left out',
  refused: 'refused',
};

/** Prints a heading and a table for each group. */
const apiServerFlagTables = (groups: readonly ApiServerFlagGroup[]): string =>
  groups.map(({ heading, flags }) => `### ${heading}\n\n${tableOf(flags)}\n`).join('\n');

const tableOf = (flags: readonly ApiServerFlag[]): string =>
  ['| flag | what becomes of it | |', '| --- | --- | --- |', ...flags.map(rowOf)].join('\n');

function rowOf({ name, value, treatment, about, harmless }: ApiServerFlag): string {
  const more = harmless === undefined ? about : `${about}; no warning with \`${harmless}\``;
  return `| \`--${name}${value === undefined ? '' : ` ${value}`}\` | ${words[treatment]} | ${more} |`;
}
