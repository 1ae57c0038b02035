/** Compares discovery of a server that emulates release 1.36 with the facts of that release. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { type ListeningServer, startServing } from '../support/serving.js';
import { hasShared, shared } from '../support/shared.js';

interface Resource {
  readonly name: string;
  readonly storageVersionHash?: string;
}

interface Version {
  readonly groupVersion: string;
  readonly resources: readonly Resource[];
}

let server: ListeningServer;
beforeAll(async () => {
  const flags = { naming: 'kubernetes', controllers: 'none', featureGates: '', emulatedVersion: 'latest' };
  if (hasShared) server = await startServing(flags);
}, 300_000);
afterAll(() => server?.stop());

/** Returns the resources of a server by `<group>/<version>/<name>`, without hashes. */
function byName(versions: readonly Version[]): ReadonlyMap<string, string> {
  return new Map(
    versions.flatMap(({ groupVersion, resources }) =>
      resources.map(({ storageVersionHash: _, ...resource }): [string, string] => [
        `${groupVersion}/${resource.name}`,
        JSON.stringify(Object.entries(resource).sort()),
      ]),
    ),
  );
}

async function versionsOf(running: ListeningServer): Promise<readonly Version[]> {
  type Groups = { groups: readonly { versions: readonly { groupVersion: string }[] }[] };
  const { groups } = (await ask<Groups>(running, 'GET', '/apis')).body;
  const paths = groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => `/apis/${groupVersion}`));
  const answers = ['/api/v1', ...paths].map((path) => ask<Version>(running, 'GET', path));
  return (await Promise.all(answers)).map(({ body }) => body);
}

it.skipIf(!hasShared)('serves the groups, versions, resources, verbs and short names of release 1.36', async () => {
  const facts: readonly Version[] = JSON.parse(readFileSync(shared('reference', 'discovery-1.36.json'), 'utf8'));
  const wanted = byName(facts);
  const found = byName(await versionsOf(server));
  const names = [...new Set([...wanted.keys(), ...found.keys()])].sort();
  expect(names.filter((name) => wanted.get(name) !== found.get(name))).toEqual([]);
});
