/** Finds the schema of a version: in its definition if the user can read it, else in the OpenAPI of the server. */
import type { Session } from '../../session/session.js';
import type { Definition, DefinitionVersion } from './definitions.js';
import type { SchemaSource } from './schema-tree.js';

/** Resolves to `undefined` if neither has the version. */
export async function readSource(
  session: Session,
  { custom }: Definition,
  version: DefinitionVersion,
): Promise<SchemaSource | undefined> {
  const defined = custom?.versions.find(({ name }) => name === version.name)?.schema;
  if (defined !== undefined) return { root: defined, named: {} };
  if (!version.served) return undefined;
  const { group, plural } = version.served;
  const published = await session.client.schema({ group, version: version.name, plural });
  return published && { root: published.schema, named: published.schemas };
}

/** Returns the version of a page: the named one, else the preferred one, else the first. */
export const chosenVersion = ({ versions }: Definition, asked: string | null): DefinitionVersion | undefined =>
  versions.find(({ name }) => name === asked) ?? versions.find(({ isPreferred }) => isPreferred) ?? versions[0];
