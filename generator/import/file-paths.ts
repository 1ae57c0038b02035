/** The paths of imported definitions: a file per resource in a folder per group, and one per type library. */
import { distinctNames } from './distinct-names.js';

/** Names that can be part of a path: DNS names, which resources and groups have anyway. */
const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Returns whether a group, version or plural can be part of a path. Not called for the core group. */
export function isPathName(name: string): boolean {
  return NAME.test(name);
}

/** Returns the path of a resource, relative to the folder of definitions. */
export function resourcePath(group: string, plural: string): string {
  return `${group || 'core'}/${plural}.yaml`;
}

/** Returns the path of a library, relative to the folder of definitions. */
export function libraryPath(library: string): string {
  return `types/${library.replaceAll('/', '-')}.yaml`;
}

/** Files with paths of their own each: of several with the same, the later get a number. */
export function withOwnPaths<T extends { readonly path: string }>(files: readonly T[]): T[] {
  const distinct = distinctNames();
  return files.map((file) => ({ ...file, path: `${distinct(file.path.replace(/\.yaml$/, ''))}.yaml` }));
}
