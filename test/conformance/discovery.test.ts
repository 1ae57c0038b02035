/**
 * Compares what a server of release 1.36 serves with the facts of that release. `known-discovery.json` lists what
 * differs and may only become shorter. `UPDATE_KNOWN=1` writes it again.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ask } from '../support/ask.js';
import { type ListeningServer, startServing } from '../support/serving.js';
import { hasShared, root, shared } from '../support/shared.js';

interface Resource {
  readonly name: string;
  readonly storageVersionHash?: string;
}

interface Version {
  readonly groupVersion: string;
  readonly resources: readonly Resource[];
}

const listFile = join(root, 'test/conformance/known-discovery.json');

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
  const differing = [...new Set([...wanted.keys(), ...found.keys()])]
    .filter((name) => wanted.get(name) !== found.get(name))
    .sort();
  if (process.env.UPDATE_KNOWN) writeFileSync(listFile, `${JSON.stringify(differing, null, 2)}\n`);
  expect(differing).toEqual(JSON.parse(readFileSync(listFile, 'utf8')));
});
