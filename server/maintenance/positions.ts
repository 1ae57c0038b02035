/** Keeps in a file how far a migration has come, so that one that was killed goes on from there. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { DiscoveredResource } from '../../client/index.js';
import type { Position } from '../../controllers/storage-migration/migrate-resource.js';
import { isObject } from '../../runtime/objects/guards.js';
import { jsonObjectIn } from '../text/json-object.js';
import { FlagError } from './open-stores.js';

/** How far each resource is. */
export interface Positions {
  of(resource: DiscoveredResource): Position | undefined;
  save(resource: DiscoveredResource, position: Position): Promise<void>;
  /** Forgets everything once all is migrated. */
  end(): Promise<void>;
}

/** Reads the file, if it is there; what it says of another server does not count. Rejects with a `FlagError`. */
export async function openPositions(file: string, server: string): Promise<Positions> {
  const known = await read(file, server);
  let writing = Promise.resolve();
  const write = async (): Promise<void> => {
    const partial = `${file}.${process.pid}.partial`;
    await writeFile(partial, `${JSON.stringify({ server, resources: Object.fromEntries(known) }, undefined, 2)}\n`);
    await rename(partial, file);
  };
  return {
    of: (resource) => known.get(nameOf(resource)),
    save: (resource, position) => {
      known.set(nameOf(resource), position);
      writing = writing.then(write);
      return writing;
    },
    end: () => rm(file, { force: true }),
  };
}

async function read(file: string, server: string): Promise<Map<string, Position>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return new Map();
  const content = parse(text);
  if (content === undefined) {
    throw new FlagError(`--state ${file} does not hold the state of a migration; name another file, or remove it`);
  }
  if (content.server !== server || !isObject(content.resources)) return new Map();
  return new Map(
    Object.entries(content.resources).flatMap(([name, position]) =>
      isPosition(position) ? [[name, { mark: position.mark, token: position.token }]] : [],
    ),
  );
}

function parse(text: string) {
  const content = jsonObjectIn(text);
  return typeof content?.server === 'string' ? content : undefined;
}

const isPosition = (value: unknown): value is Position =>
  isObject(value) && typeof value.mark === 'string' && typeof value.token === 'string';

const nameOf = ({ plural, group }: DiscoveredResource): string => `${plural}.${group}`;
