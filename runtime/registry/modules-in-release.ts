/** Leaves of built-in kinds what a release has of them. */
import type { ResourceCode, ResourceModule } from '../contract/index.js';
import type { Lifetime, Release } from '../objects/release.js';
import { thenSync } from '../objects/turns.js';
import { cutSchemas } from '../schema/schema-in-release.js';

/**
 * Returns the modules of a release: without versions, subresources, columns and fields that came later or had gone.
 * Schemas are cut when their code is loaded.
 */
export function modulesInRelease(modules: readonly ResourceModule[], release: Release): readonly ResourceModule[] {
  const cuts = { kinds: cutterOf(release, 'kinds'), machinery: cutterOf(release, 'machinery') };
  return modules.flatMap((module) => {
    const part = module.machinery ? 'machinery' : 'kinds';
    const isThere = (lifetime: Lifetime): boolean => release.has(lifetime, part);
    if (isLater(module, release)) return [];
    return [
      {
        ...module,
        subresources: module.subresources.filter(isThere),
        columns: module.columns.filter(isThere),
        code: () => thenSync(module.code(), cuts[part]),
      },
    ];
  });
}

/** Returns whether a module came after a release. */
export const isLater = ({ machinery, stability }: ResourceModule, release: Release): boolean =>
  !release.has({ introduced: stability?.introduced }, machinery ? 'machinery' : 'kinds');

function cutterOf(release: Release, part: 'kinds' | 'machinery'): (code: ResourceCode) => ResourceCode {
  const name = part === 'machinery' ? release.machinery : release.name;
  const cut = cutSchemas(name, (lifetime) => release.has(lifetime, part));
  return (code) => {
    const schema = cut(code.schema);
    return schema === code.schema ? code : { ...code, schema };
  };
}
