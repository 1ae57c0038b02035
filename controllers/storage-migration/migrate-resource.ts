/** Migrates all objects of one resource to the current storage version. */
import type { DiscoveredResource } from '../../client/index.js';
import { markOfDefinition, type StoredVersions } from './stored-versions.js';
import { type Walked, type WalkParts, walk } from './walk.js';

/** The position of a migration: everything before the token is stored in the version of the mark. */
export interface Position {
  /** Identifies the state of the definition when the objects were written. */
  readonly mark: string;
  /** Continue token of a list; empty when the migration has ended. */
  readonly token: string;
}

export interface Migrated extends Walked {
  /** Versions that were taken out of `storedVersions` of the resource's definition. */
  readonly dropped: readonly string[];
}

export interface MigrationParts extends Omit<WalkParts, 'save'> {
  readonly definitions: StoredVersions;
  /** The position where an earlier migration stopped. Ignored if the definition has changed since. */
  readonly position?: Position | undefined;
  /** Receives each position, including the last. */
  save?(position: Position, walked: Walked, resourceVersion: string): Promise<void>;
}

/** How often a migration restarts because the definition has changed. */
const attempts = 3;

/**
 * Rewrites all objects. Rejects if the server cannot be reached or refuses to list. Lists objects that cannot be
 * written as problems.
 */
export async function migrateResource(resource: DiscoveredResource, parts: MigrationParts): Promise<Migrated> {
  const { definitions, save, position, signal, ...others } = parts;
  for (let attempt = 1; ; attempt++) {
    const definition = await definitions.find(resource, signal);
    const mark = definition ? markOfDefinition(definition) : (resource.storageVersionHash ?? '');
    const known = position?.mark === mark ? position : undefined;
    const walked: Walked =
      known?.token === ''
        ? nothing
        : await walk(
            resource,
            {
              ...others,
              ...(signal ? { signal } : {}),
              ...(save ? { save: (token, sum, revision) => save({ mark, token }, sum, revision) } : {}),
            },
            known?.token,
          );
    if (walked.problems.length > 0) return { ...walked, dropped: [] };
    const dropped = definition ? await definitions.prune(definition, signal) : [];
    if (dropped === 'changed' && attempt < attempts) continue;
    if (dropped === 'changed') return { ...walked, problems: [changedMeanwhile(resource)], dropped: [] };
    await save?.({ mark, token: '' }, walked, '');
    return { ...walked, dropped };
  }
}

const nothing: Walked = { seen: 0, written: 0, problems: [] };

const changedMeanwhile = ({ plural, group }: DiscoveredResource): string =>
  `${plural}.${group}: its definition changed during the migration; run it again`;
