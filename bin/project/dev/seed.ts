/** Applies the objects of a folder to a server: namespaces and definitions first, because other objects need them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientOptions, createResourceClient, type DiscoveredResource, discover } from '../../../client/index.js';
import { findFiles } from '../../../generator/load/find-files.js';
import { parseYaml } from '../../../generator/load/parse-yaml.js';
import type { ApiObject } from '../../../runtime/contract/index.js';
import { isApiObject } from '../../../runtime/objects/guards.js';
import { lineCounter } from '../../../runtime/objects/lines.js';

/** The field manager of the objects. */
const fieldManager = 'kindforge-seed';

/** How many times to check whether a definition is served, and the milliseconds between two checks. */
const [lookTimes, lookEveryMs] = [50, 100];

export interface Seeded {
  readonly applied: number;
  /** A line for each object or file that cannot be used. */
  readonly problems: readonly string[];
}

interface Seed {
  readonly file: string;
  readonly object: ApiObject;
}

/** Applies all objects of the folder's YAML and JSON files. After a refused object, goes on with the others. */
export async function seed(folder: string, client: ClientOptions): Promise<Seeded> {
  const problems: string[] = [];
  const seeds = readSeeds(folder, problems).sort((a, b) => rankOf(a) - rankOf(b));
  let resources: readonly DiscoveredResource[] = [];
  const find = ({ apiVersion, kind }: ApiObject): DiscoveredResource | undefined => {
    const [version = '', group = ''] = apiVersion.split('/').reverse();
    const found = resources.find((one) => one.kind === kind && one.group === group);
    return found && { ...found, version };
  };
  /** Returns the resource of an object. Waits for a definition that the server does not serve yet. */
  const resourceOf = async (object: ApiObject): Promise<DiscoveredResource | undefined> => {
    const hasDefinitions = seeds.some((one) => rankOf(one) === rank.definition);
    for (let times = hasDefinitions ? lookTimes : 1; find(object) === undefined && times > 0; times--) {
      if (resources.length > 0) await sleep(lookEveryMs);
      ({ resources } = await discover(client));
    }
    return find(object);
  };
  let applied = 0;
  for (const { file, object } of seeds) {
    const name = `${object.kind} ${object.metadata.name ?? '(no name)'}`;
    try {
      const resource = await resourceOf(object);
      if (!resource) {
        problems.push(`${file}: ${name}: the server has no ${object.kind} in ${object.apiVersion}`);
        continue;
      }
      const all = createResourceClient(resource, client);
      const place = resource.scope === 'Cluster' ? all : all.in(object.metadata.namespace ?? 'default');
      await place.apply(object, { fieldManager, force: true });
      applied++;
    } catch (error) {
      problems.push(`${file}: ${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { applied, problems };
}

const rank = { namespace: 0, definition: 1, other: 2 };

function rankOf({ object: { kind } }: Seed): number {
  if (kind === 'Namespace') return rank.namespace;
  return kind === 'CustomResourceDefinition' ? rank.definition : rank.other;
}

function readSeeds(folder: string, problems: string[]): Seed[] {
  const { files, unreadable } = findFiles(folder);
  for (const { path, message } of unreadable) problems.push(`${join(folder, path)}: ${message}`);
  return files.flatMap(({ path, absolute }) => {
    const file = join(folder, path);
    const text = readFileSync(absolute, 'utf8');
    const { documents, problems: mistakes } = parseYaml(text);
    for (const { offset, message } of mistakes) {
      const { line, column } = lineCounter(text)(offset);
      problems.push(`${file}:${line}:${column}: ${message}`);
    }
    return documents.flatMap((document) => {
      if (document === undefined) return [];
      if (isApiObject(document)) return [{ file, object: document }];
      problems.push(`${file}: a document is not an object; it needs apiVersion, kind and metadata`);
      return [];
    });
  });
}
