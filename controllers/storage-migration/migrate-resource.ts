/** Migrates all objects of one resource to the version that they are stored in now. */
import type { DiscoveredResource } from '../../client/index.js';
import { markOfDefinition, type StoredVersions } from './stored-versions.js';
import { type Walked, type WalkParts, walk } from './walk.js';

/** How far a migration has come: what is behind the token is stored in the version that the mark stands for. */
export interface Position {
  /** Says which state of the definition the objects were written under. */
  readonly mark: string;
  /** Continue token of a list; empty for a migration that has ended. */
  readonly token: string;
}

export interface Migrated extends Walked {
  /** Versions that were taken out of `storedVersions` of the resource's definition. */
  readonly dropped: readonly string[];
}

export interface MigrationParts extends Omit<WalkParts, 'save'> {
  readonly definitions: StoredVersions;
  /** Where an earlier migration ended; one of another state of the definition does not count. */
  readonly position?: Position | undefined;
  /** Called with each position, the one of the end included. */
  save?(position: Position, walked: Walked, resourceVersion: string): Promise<void>;
}

/** How often a migration begins again where the definition changes meanwhile. */
const attempts = 3;

/** Rejects where the server cannot be reached or refuses to list; objects that cannot be written are problems. */
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
