/** Where imported definitions are written: a file per resource in a folder per group, and one per type library. */
import { distinctNames } from './distinct-names.js';

/** Names that can be part of a path: DNS names, which resources and groups have anyway. */
const NAME = /^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/;

/** Whether a group, version or plural is one that can be written; the core group is not asked about. */
export function isPathName(name: string): boolean {
  return NAME.test(name);
}

/** Path of a resource, relative to the folder of definitions. */
export function resourcePath(group: string, plural: string): string {
  return `${group || 'core'}/${plural}.yaml`;
}

/** Path of a library, likewise. */
export function libraryPath(library: string): string {
  return `types/${library.replaceAll('/', '-')}.yaml`;
}

/** Files with paths of their own each: of several with the same, the later get a number. */
export function withOwnPaths<T extends { readonly path: string }>(files: readonly T[]): T[] {
  const distinct = distinctNames();
  return files.map((file) => ({ ...file, path: `${distinct(file.path.replace(/\.yaml$/, ''))}.yaml` }));
}
