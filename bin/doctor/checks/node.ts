/** Checks that this Node.js is one that Kindforge works with. */
import { readManifest } from '../../../server/kinds.js';
import { type Check, ok, problem } from '../finding.js';

export const node: Check = {
  name: 'node',
  run: () => [judge(process.versions.node, readManifest().engines?.node ?? '>=0')],
};

/** `wanted` as in `>=20.15`. */
export function judge(version: string, wanted: string): ReturnType<typeof ok> {
  const [major = 0, minor = 0] = numbers(version);
  const [leastMajor = 0, leastMinor = 0] = numbers(wanted.replace(/^>=/, ''));
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return ok(`Node.js ${version}`);
  return problem(`Node.js ${version} is too old`, `Install Node.js ${wanted.replace(/^>=/, '')} or later`);
}

const numbers = (version: string): readonly number[] => version.split('.').map(Number);
