import { expect, it } from 'vitest';
import { compareSemanticVersions, parseSemanticVersion } from '../../../../strategies/shared/semantic-versions.js';

it('orders versions as the standard does', () => {
  // The row of examples in https://semver.org, item 11, with a build that does not count.
  const texts =
    '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc.1 1.0.0+7 2.0.0';
  const versions = texts.split(' ').flatMap((text) => parseSemanticVersion(text) ?? []);
  expect(versions).toHaveLength(9);
  for (const [i, a] of versions.entries())
    for (const [j, b] of versions.entries()) expect(Math.sign(compareSemanticVersions(a, b))).toBe(Math.sign(i - j));
});

it.each(['1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-01', '1.2.3+'])('refuses %s', (text) =>
  expect(parseSemanticVersion(text)).toBeUndefined(),
);
