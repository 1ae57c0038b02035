/** Leaves of built-in kinds what a release has of them. */
import type { ResourceCode, ResourceModule } from '../contract/index.js';
import type { Lifetime, Release } from '../objects/release.js';
import { thenSync } from '../objects/turns.js';
import { cutSchemas } from '../schema/schema-in-release.js';

/**
 * Returns the modules of a release: without versions, subresources, columns and fields that came later or had gone.
 * Schemas are cut when their code is loaded. A resource goes with its stored version; a stored version that came later
 * than another one stays, but is not served.
 */
export function modulesInRelease(modules: readonly ResourceModule[], release: Release): readonly ResourceModule[] {
  const cuts = { kinds: cutterOf(release, 'kinds'), machinery: cutterOf(release, 'machinery') };
  const gone = new Set(modules.filter((module) => hasGone(module, release)).map(definitionOf));
  const left = modules.filter((module) => !gone.has(definitionOf(module)));
  const isThere = (module: ResourceModule, { introduced, removed }: Lifetime): boolean =>
    release.has({ introduced, removed }, partOf(module));
  const present = new Set(
    left.filter((module) => isThere(module, module.stability ?? {})).map((module) => definitionOf(module)),
  );
  return left.flatMap((module) => {
    const hasBegun = !isLater(module, release);
    if (!hasBegun && !(module.storage && present.has(definitionOf(module)))) return [];
    return [
      {
        ...module,
        served: module.served && hasBegun,
        subresources: module.subresources.filter((one) => isThere(module, one)),
        columns: module.columns.filter((one) => isThere(module, one)),
        code: () => thenSync(module.code(), cuts[partOf(module)]),
      },
    ];
  });
}

/** Returns whether a module came after a release. */
export const isLater = (module: ResourceModule, release: Release): boolean =>
  !release.has({ introduced: module.stability?.introduced }, partOf(module));

const partOf = ({ machinery }: ResourceModule): 'kinds' | 'machinery' => (machinery ? 'machinery' : 'kinds');

/** Returns what the versions of one definition have in common. Two definitions may have one resource in turn. */
const definitionOf = ({ source, group, names }: ResourceModule): string => source ?? `${names.plural}.${group}`;

/** Reports if nothing is left of a resource: its stored version was served, and the release has removed it. */
const hasGone = ({ storage, served, stability }: ResourceModule, release: Release): boolean =>
  storage && served && !release.has({ removed: stability?.removed });

function cutterOf(release: Release, part: 'kinds' | 'machinery'): (code: ResourceCode) => ResourceCode {
  const name = part === 'machinery' ? release.machinery : release.name;
  const cut = cutSchemas(name, (lifetime) => release.has(lifetime, part));
  return (code) => {
    const schema = cut(code.schema);
    return schema === code.schema ? code : { ...code, schema };
  };
}
