/** The tables of the flags of kube-apiserver, as the page on test suites has them. */
import type { ApiServerFlag, ApiServerFlagGroup, Treatment } from '../../bin/envtest/api-server-flag.js';

const words: Readonly<Record<Treatment, string>> = {
  passed: 'passed on',
  used: 'used',
  unused: 'no effect',
  warned: 'left out',
  refused: 'refused',
};

/** Prints a heading and a table for each group. */
export const apiServerFlagTables = (groups: readonly ApiServerFlagGroup[]): string =>
  groups.map(({ heading, flags }) => `### ${heading}\n\n${tableOf(flags)}\n`).join('\n');

const tableOf = (flags: readonly ApiServerFlag[]): string =>
  ['| flag | what becomes of it | |', '| --- | --- | --- |', ...flags.map(rowOf)].join('\n');

function rowOf({ name, value, treatment, about, harmless }: ApiServerFlag): string {
  const more = harmless === undefined ? about : `${about}; no warning with \`${harmless}\``;
  return `| \`--${name}${value === undefined ? '' : ` ${value}`}\` | ${words[treatment]} | ${more} |`;
}
