/** Leaves of built-in kinds what a release has of them. */
import type { ResourceCode, ResourceModule } from '../contract/index.js';
import { compareVersions } from '../objects/names/names.js';
import type { Lifetime, Release } from '../objects/release.js';
import { thenSync } from '../objects/turns.js';
import { cutSchemas } from '../schema/schema-in-release.js';
import { isRemoved } from './served-versions.js';

/**
 * Returns the modules of a release: without versions, subresources, columns and fields that came later or had gone.
 * Schemas are cut when their code is loaded.
 */
export function modulesInRelease(modules: readonly ResourceModule[], release: Release): readonly ResourceModule[] {
  const cuts = { kinds: cutterOf(release, 'kinds'), machinery: cutterOf(release, 'machinery') };
  const inRelease = modules.filter((module) => !isLater(module, release));
  const best = bestVersions(inRelease, release);
  return inRelease.map((module) => {
    const part = module.machinery ? 'machinery' : 'kinds';
    const isThere = (lifetime: Lifetime): boolean => release.has(lifetime, part);
    const hashedVersion = module.stability?.level === 'stable' ? undefined : best.get(idOf(module));
    return {
      ...module,
      ...(module.storage && hashedVersion !== undefined ? { hashedVersion } : {}),
      subresources: module.subresources.filter(isThere),
      columns: module.columns.filter(isThere),
      code: () => thenSync(module.code(), cuts[part]),
    };
  });
}

/** Returns whether a module came after a release. */
export const isLater = ({ machinery, stability }: ResourceModule, release: Release): boolean =>
  !release.has({ introduced: stability?.introduced }, machinery ? 'machinery' : 'kinds');

const idOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;

/**
 * Returns the best version of each resource that a release serves. The reference stores it, and discovery says so. Here
 * a kind stays stored in its first version, so that every release reads what any other has written.
 */
function bestVersions(modules: readonly ResourceModule[], { name }: Release): ReadonlyMap<string, string> {
  const best = new Map<string, string>();
  for (const module of modules) {
    if (!module.served || isRemoved(module, name)) continue;
    const known = best.get(idOf(module));
    if (known === undefined || compareVersions(module.version, known) < 0) best.set(idOf(module), module.version);
  }
  return best;
}

function cutterOf(release: Release, part: 'kinds' | 'machinery'): (code: ResourceCode) => ResourceCode {
  const name = part === 'machinery' ? release.machinery : release.name;
  const cut = cutSchemas(name, (lifetime) => release.has(lifetime, part));
  return (code) => {
    const schema = cut(code.schema);
    return schema === code.schema ? code : { ...code, schema };
  };
}
