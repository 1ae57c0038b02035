/** Reduces built-in kinds to the parts that a release has. */
import type { Conversion, InRelease, ResourceCode, ResourceModule } from '../contract/index.js';
import { compareVersions } from '../objects/names/names.js';
import type { Lifetime, Release } from '../objects/release.js';
import { thenSync } from '../objects/turns.js';
import { cutSchemas } from '../schema/schema-in-release.js';
import { isRemoved } from './served-versions.js';

/**
 * Returns the modules of a release. Leaves out versions, subresources, columns, selectable fields and fields that came
 * later or were removed before. Keeps a stored version that came later if the release has another version, but does not
 * serve it. If two definitions have one resource in turn, keeps the definition of the release. Cuts schemas when their
 * code is loaded.
 */
export function modulesInRelease(modules: readonly ResourceModule[], release: Release): readonly ResourceModule[] {
  const cuts = { kinds: cutterOf(release, 'kinds'), machinery: cutterOf(release, 'machinery') };
  const isThere = (module: ResourceModule, { introduced, removed }: Lifetime): boolean =>
    release.has({ introduced, removed }, partOf(module));
  const present = new Set(modules.filter((one) => one.served && isThere(one, one.stability ?? {})).map(definitionOf));
  const inTurn = resourcesInTurn(modules);
  const left = modules.filter((module) => {
    const isPresent = present.has(definitionOf(module));
    if (inTurn.has(idOf(module)) && !isPresent) return false;
    return !isLater(module, release) || (module.storage && isPresent);
  });
  const best = bestVersions(left, release);
  return left.map((module) => {
    const hashedVersion = module.stability?.level === 'stable' ? undefined : best.get(idOf(module));
    return {
      ...module,
      ...(module.storage && hashedVersion !== undefined ? { hashedVersion } : {}),
      served: module.served && !isLater(module, release),
      subresources: module.subresources.filter((one) => isThere(module, one)),
      selectableFields: module.selectableFields.filter((path) =>
        isThere(module, { introduced: module.laterFields?.[path] }),
      ),
      columns: module.columns.filter((one) => isThere(module, one)),
      code: () => thenSync(module.code(), cuts[partOf(module)]),
    };
  });
}

/** Returns whether a module came after a release. */
export const isLater = (module: ResourceModule, release: Release): boolean =>
  !release.has({ introduced: module.stability?.introduced }, partOf(module));

const partOf = ({ machinery }: ResourceModule): 'kinds' | 'machinery' => (machinery ? 'machinery' : 'kinds');

const idOf = ({ group, names }: ResourceModule): string => `${group}/${names.plural}`;

/** Returns the common name of the versions of one definition. */
const definitionOf = (module: ResourceModule): string => module.source ?? idOf(module);

/** Returns the resources that several definitions have in turn. */
function resourcesInTurn(modules: readonly ResourceModule[]): ReadonlySet<string> {
  const definitions = new Map<string, string>();
  const found = new Set<string>();
  for (const module of modules) {
    const known = definitions.get(idOf(module));
    if (known === undefined) definitions.set(idOf(module), definitionOf(module));
    else if (known !== definitionOf(module)) found.add(idOf(module));
  }
  return found;
}

/**
 * Returns the best version of each resource that a release serves. The reference stores this version, and discovery has
 * its hash. Kindforge always stores a kind in one version, so that every release reads what any other has written.
 */
function bestVersions(modules: readonly ResourceModule[], release: Release): ReadonlyMap<string, string> {
  const best = new Map<string, string>();
  for (const module of modules) {
    if (!module.served || isLater(module, release) || isRemoved(module, release.name)) continue;
    const known = best.get(idOf(module));
    if (known === undefined || compareVersions(module.version, known) < 0) best.set(idOf(module), module.version);
  }
  return best;
}

function cutterOf(release: Release, part: 'kinds' | 'machinery'): (code: ResourceCode) => ResourceCode {
  const name = part === 'machinery' ? release.machinery : release.name;
  const isThere = (lifetime: Lifetime): boolean => release.has(lifetime, part);
  const cut = cutSchemas(name, isThere);
  return (code) => {
    const schema = cut(code.schema);
    const { conversion } = code;
    if (schema === code.schema && !conversion) return code;
    return { ...code, schema, ...(conversion && { conversion: conversionIn(conversion, isThere) }) };
  };
}

/** Returns a conversion without the steps that came later. */
const conversionIn = (conversion: Conversion, isThere: InRelease): Conversion => ({
  ...conversion,
  toStored: (object, rename, report, fits) => conversion.toStored(object, rename, report, fits, isThere),
  fromStored: (object, rename, report, fits) => conversion.fromStored(object, rename, report, fits, isThere),
});
