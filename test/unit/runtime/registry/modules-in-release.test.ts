/** Built-in kinds in single releases. */
import { expect, it } from 'vitest';
import { registry } from '../../../../generated/registry.js';
import type { ResourceModule } from '../../../../runtime/contract/index.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { modulesInRelease } from '../../../../runtime/registry/modules-in-release.js';
import { loadCode } from '../../../../runtime/resource/served-resource.js';
import { widgets } from '../../../support/widgets.js';

const later: ResourceModule = {
  ...widgets,
  stability: { level: 'stable', introduced: '1.29' },
  columns: [{ name: 'Size', type: 'string', jsonPath: '.spec.size', introduced: '1.31' }],
  subresources: [{ name: 'resize', verbs: ['get'], writes: [], writesMetadata: false, removed: '1.30' }],
};

it('are served from their release on, with the columns and subresources of the time', () => {
  const found = (['1.28', '1.29', '1.31'] as const).map((version) =>
    modulesInRelease([later], emulate(version)).map(({ columns, subresources }) => [
      columns.length,
      subresources.length,
    ]),
  );
  expect(found).toEqual([[], [[0, 1]], [[1, 0]]]);
});

it('name the best version of the release as the stored one, and stay stored in their first', () => {
  const first: ResourceModule = {
    ...widgets,
    version: 'v1alpha1',
    storage: true,
    stability: { level: 'alpha', removed: '1.30' },
  };
  const second: ResourceModule = { ...later, version: 'v1', storage: false };
  const told = (['1.28', '1.29', '1.36'] as const).map((version) =>
    modulesInRelease([first, second], emulate(version)).flatMap(({ storage, hashedVersion }) =>
      storage ? [hashedVersion] : [],
    ),
  );
  expect(told).toEqual([['v1alpha1'], ['v1'], ['v1']]);
});

it('have the form of the latest release if they are machinery and no release is emulated', () => {
  expect(modulesInRelease([later, { ...later, machinery: true, source: 'other.yaml' }], emulate())).toMatchObject([
    { machinery: true },
  ]);
});

it('have the schema of the release', async () => {
  const code = await loadCode(later);
  const properties = { late: { type: 'string', 'x-kindforge-introduced': '1.30' } } as const;
  const module: ResourceModule = { ...later, code: () => ({ ...code, schema: { type: 'object', properties } }) };
  const fields = (['1.29', '1.30'] as const).map(async (version) => {
    const [cut] = modulesInRelease([module], emulate(version));
    return cut && Object.keys((await loadCode(cut)).schema.properties ?? {});
  });
  expect(await Promise.all(fields)).toEqual([[], ['late']]);
});

/** Returns the versions of claims in a release. A star marks the stored one if it is not served. */
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
