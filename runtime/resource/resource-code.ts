/** Loads the code of resource modules, once for all that use it. */
import type { ResourceCode, ResourceModule } from '../contract/index.js';
import { type MaybePromise, thenSync } from '../objects/turns.js';

/** Copies of a module under other names load by the same function, and so share what it loads. */
const loaded = new WeakMap<ResourceModule['code'], ResourceCode>();

/** The code of a module: at once where it has been loaded before, or needs no loading. */
export const loadCode = ({ code }: ResourceModule): MaybePromise<ResourceCode> =>
  loaded.get(code) ??
  thenSync(code(), (found) => {
    loaded.set(code, found);
    return found;
  });

/** Loads the code of several modules; returns at once where all of it is there. */
export function loadAll(modules: readonly ResourceModule[]): MaybePromise<void> {
  const loading = modules.map(loadCode).filter((code) => code instanceof Promise);
  return loading.length === 0 ? undefined : Promise.all(loading).then(() => undefined);
}

/** The code of a module for what cannot wait. Throws where it has not been loaded, which is a defect of the caller. */
export function codeOf(module: ResourceModule): ResourceCode {
  const code = loadCode(module);
  if (!(code instanceof Promise)) return code;
  const { group, version, names } = module;
  throw new Error(
    `the code of ${group === '' ? version : `${group}/${version}`} ${names.plural} is used before it is loaded`,
  );
}
