/** Finds the kubeconfig that a command means where none is named. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

/** The surroundings of a command. */
export interface Surroundings {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface FoundKubeconfig {
  /** The file; absent where `$KUBECONFIG` names several, which are read as if they were one. */
  readonly path?: string;
  /** Where it comes from, for messages. */
  readonly from: string;
}

/** Where `kindforge serve` writes credentials, by default. */
export const written = join('.kindforge', 'data', 'credentials', 'kubeconfig');

/**
 * That of `$KUBECONFIG`, or one that `kindforge serve` wrote here or in a folder above, or the usual one; `undefined` where
 * there is none.
 */
export function findKubeconfig({ folder, environment }: Surroundings): FoundKubeconfig | undefined {
  const { KUBECONFIG: named } = environment;
  if (named) return { ...(named.includes(delimiter) ? {} : { path: named }), from: `$KUBECONFIG, ${named}` };
  for (let above = folder; ; above = dirname(above)) {
    const path = join(above, written);
    if (existsSync(path)) return { path, from: path };
    if (dirname(above) === above) break;
  }
  const path = usualPath(environment);
  return existsSync(path) ? { path, from: path } : undefined;
}

/** The path that kubectl reads. */
export const usualPath = ({ HOME = homedir() }: Surroundings['environment']): string => join(HOME, '.kube', 'config');
