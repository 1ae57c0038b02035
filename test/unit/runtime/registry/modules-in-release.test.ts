/** The built-in modules of each release. */
import { expect, it } from 'vitest';
import { registry } from '../../../../generated/registry.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { modulesInRelease } from '../../../../runtime/registry/modules-in-release.js';

/** Returns the versions of claims in a release; a star is at the stored one if it is not served. */
const claimsIn = (version: EmulatedVersion): readonly string[] =>
  modulesInRelease(registry, emulate(version))
    .filter(({ names }) => names.plural === 'resourceclaims')
    .map((module) => `${module.version}${module.served ? '' : '*'}`)
    .sort();

it('replaces a definition by the next one of the same resource', () => {
  expect(claimsIn('1.27')).toEqual(['v1alpha2']);
  expect(claimsIn('1.31')).toEqual([]);
  expect(claimsIn('1.32')).toEqual(['v1*', 'v1beta1']);
  expect(claimsIn('latest')).toEqual(['v1', 'v1beta1', 'v1beta2']);
});
