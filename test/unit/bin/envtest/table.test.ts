/**
 * The table of kube-apiserver's flags has all flags of the reference, and passes on the flags that `kindforge serve`
 * has.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { apiServerFlags, findFlag, otherReleases } from '../../../../bin/envtest/api-server-flags.js';
import type { Flag } from '../../../../bin/flags/flag.js';
import { serveFlagGroups } from '../../../../bin/flags/serve/index.js';
import { hasShared, shared } from '../../../support/shared.js';

interface ReferenceFlag {
  readonly flag: string;
  readonly section: string;
  readonly value?: string;
}

const listed = apiServerFlags.flatMap(({ heading, flags }) =>
  flags.map(({ name, value }) => ({ flag: name, section: heading.toLowerCase(), ...(value && { value }) })),
);
const all = [...apiServerFlags, otherReleases].flatMap(({ flags }) => flags);
const served = new Map(serveFlagGroups.flatMap(({ flags }): readonly Flag[] => flags).map((flag) => [flag.name, flag]));
const byName = (a: ReferenceFlag, b: ReferenceFlag): number => (a.flag < b.flag ? -1 : 1);

describe('the table of flags of kube-apiserver', () => {
  it.skipIf(!hasShared)(
    'has the flags of 1.27, each in its section and with its kind of value (skipped without them)',
    () => {
      const reference: readonly ReferenceFlag[] = JSON.parse(
        readFileSync(shared('reference', 'flags-1.27.json'), 'utf8'),
      );
      const expected = reference.map(({ flag, section, value }) => ({ flag, section, ...(value && { value }) }));
      // In the help of kube-apiserver the flag for the release has a heading of its own.
      const found = listed.filter(({ flag }) => flag !== 'version');
      expect(found.sort(byName)).toEqual(expected.sort(byName));
    },
  );

  it.skipIf(!hasShared)('knows the flags of 1.36 (skipped without them)', () => {
    const reference: readonly ReferenceFlag[] = JSON.parse(
      readFileSync(shared('reference', 'flags-1.36.json'), 'utf8'),
    );
    expect(reference.map(({ flag }) => flag).filter((name) => !findFlag(name))).toEqual([]);
  });

  it('has each once', () => expect(new Set(all.map(({ name }) => name)).size).toBe(all.length));

  it('passes on the flags of kindforge serve, and nothing else', () => {
    const passed = all.filter(({ treatment }) => treatment === 'passed').map(({ name }) => name);
    expect(passed.filter((name) => !served.has(name))).toEqual([]);
    const own = all.filter(({ name, treatment }) => served.has(name) && treatment !== 'passed');
    // The values of these flags are checked first, or belong to another release.
    expect(own.map(({ name }) => name).sort()).toEqual([
      'authorization-mode',
      'disable-admission-plugins',
      'emulated-version',
      'feature-gates',
      'service-cluster-ip-range',
      'show-hidden-metrics-for-version',
    ]);
  });

  it('finds names with underscores', () => {
    expect(findFlag('allow_privileged')?.name).toBe('allow-privileged');
    expect(findFlag('allow-everything')).toBeUndefined();
  });
});
