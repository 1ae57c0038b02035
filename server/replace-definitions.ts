/** Replaces the definitions of a running server, if it can do so while it runs. */
import { isDeepStrictEqual } from 'node:util';
import type { ResourceModule, Store } from '../runtime/contract/index.js';
import type { Naming } from '../runtime/objects/names/naming.js';
import { type ApiServer, underNaming } from '../runtime/server/index.js';
import { clashOf } from './clashing-names.js';

/** Whether definitions were replaced, or why this needs a restart of the server. */
export type Replacement = { readonly done: true } | { readonly done: false; readonly because: string };

/** The parts of a server that are used here. */
export interface Replaced {
  readonly kinds: { readonly modules: readonly ResourceModule[] };
  /** The resources of the kinds that definitions added. */
  readonly definitions: readonly ResourceModule[];
  readonly naming: Naming;
  readonly storage: { readonly store: Pick<Store, 'count'> };
}

/** Returns a function that replaces the current definitions of a server. */
export function defineReplacement(
  { kinds, definitions, naming, storage }: Replaced,
  replaceModules: ApiServer['replaceModules'],
): (modules: readonly ResourceModule[]) => Replacement {
  const others = kinds.modules.filter((module) => !definitions.includes(module));
  const taken = new Set(others.map(resourceOf));
  let current = definitions;
  const hasObjects = (module: ResourceModule): boolean => {
    const { group, names } = underNaming(module, naming);
    return storage.store.count(`${group}/${names.plural}/`) > 0;
  };
  return (modules) => {
    const because =
      obstacle(current, modules, { isTaken: (name) => taken.has(name), hasObjects }) ?? clashOf(others, modules);
    if (because !== undefined) return { done: false, because };
    replaceModules([...others, ...modules]);
    current = modules;
    return { done: true };
  };
}

interface Circumstances {
  /** Whether another part of the server has the resource. */
  readonly isTaken: (name: string) => boolean;
  readonly hasObjects: (module: ResourceModule) => boolean;
}

/**
 * Returns the first reason why a running server cannot replace definitions, because it has read its store with the old
 * ones.
 */
function obstacle(
  before: readonly ResourceModule[],
  now: readonly ResourceModule[],
  { isTaken, hasObjects }: Circumstances,
): string | undefined {
  const [old, next] = [byVersion(before), byVersion(now)];
  const known = new Set(before.map(resourceOf));
  for (const name of old.keys()) if (!next.has(name)) return `${name} was removed`;
  for (const [name, module] of next) {
    const was = old.get(name);
    if (was === module) continue;
    if (module.virtual || was?.virtual) return `${name} is a kind of a subresource`;
    if (module.featureGate !== was?.featureGate) return `${name} has another feature gate`;
    if (!was && (module.references || module.unique)) return `${name} has relations`;
    if (was) {
      if (was.names.kind !== module.names.kind) return `${name} has another kind`;
      const changed = keptWith.find((key) => !isDeepStrictEqual(was[key], module[key]));
      if (changed !== undefined) return `${name} has another value of ${changed}`;
    } else if (known.has(resourceOf(module))) {
      if (module.storage) return `${name} is stored from now on`;
    } else if (isTaken(resourceOf(module))) return `${name} takes the place of a built-in kind`;
    else if (hasObjects(module)) return `there are objects of ${name} already`;
  }
  return undefined;
}

/** The parts of a description that decide how the store reads objects, and which relations it has. */
const keptWith = ['scope', 'storage', 'storedAs', 'selectableFields', 'references', 'unique'] as const;

const resourceOf = ({ group, names }: ResourceModule): string => `${names.plural}${group === '' ? '' : `.${group}`}`;

const byVersion = (modules: readonly ResourceModule[]): ReadonlyMap<string, ResourceModule> =>
  new Map(modules.map((module) => [`${resourceOf(module)}/${module.version}`, module]));
