/** The help of kube-apiserver's stand-in: suites look in it for the flags that they may give. */
import type { ApiServerFlag, Treatment } from './table/api-server-flag.js';
import { apiServerFlags } from './table/index.js';

/** A word or two before what becomes of a flag. */
const words: Readonly<Record<Treatment, string>> = {
  passed: '',
  used: '',
  unused: 'no effect: ',
  warned: 'left out: ',
  refused: 'refused: ',
};

/** Lists each flag at the beginning of its own line, as kube-apiserver does. */
export function printHelp(): string {
  const groups = apiServerFlags.map(({ heading, flags }) => `${heading} flags:\n\n${flags.map(lineOf).join('\n')}\n`);
  return `kube-apiserver as Kindforge plays it, for test suites. Every flag of Kubernetes 1.27 is listed with what becomes of it.

Usage:
  kube-apiserver [flags]

${groups.join('\n')}
All flags of kindforge serve can be set by environment variables, as in KINDFORGE_CONTROLLERS=garbagecollector,namespace.
`;
}

function lineOf({ name, value, treatment, about }: ApiServerFlag): string {
  const short = name === 'v' ? '  -v, ' : name === 'help' ? '  -h, ' : '      ';
  return `${short}--${value === undefined ? name : `${name} ${value}`}`
    .padEnd(58)
    .concat(`  ${words[treatment]}${about}`);
}
