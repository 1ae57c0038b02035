/** The page on flags of test suites lists all flags of kube-apiserver with their treatment. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ApiServerFlag, ApiServerFlagGroup, Treatment } from '../../../bin/envtest/api-server-flag.js';
import { apiServerFlags, otherReleases } from '../../../bin/envtest/api-server-flags.js';
import { root } from '../../support/shared.js';

const path = join(root, 'docs/envtest-flags.md');

it('docs/envtest-flags.md has the tables', () => {
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

/** Prints a row for all flags of a group that have the same treatment for the same reason. */
function tableOf(flags: readonly ApiServerFlag[]): string {
  const rows = new Map<string, string[]>();
  for (const flag of flags) {
    const effect = effectOf(flag);
    const names = rows.get(effect) ?? [];
    names.push(`\`--${flag.name}\``);
    rows.set(effect, names);
  }
  const lines = [...rows].map(([effect, names]) => `| ${names.join(', ')} | ${effect} |`);
  return ['| flags | effect | |', '| --- | --- | --- |', ...lines].join('\n');
}

function effectOf({ treatment, about, harmless }: ApiServerFlag): string {
  return `${words[treatment]} | ${harmless === undefined ? about : `${about}; no warning with \`${harmless}\``}`;
}
