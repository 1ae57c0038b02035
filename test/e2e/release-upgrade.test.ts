/** Data of a server of 1.27. One release after the other opens it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { releases } from '../../runtime/objects/release.js';
import { StepBackError } from '../../server/index.js';
import { type Answer, ask } from '../support/ask.js';
import { scratchFolder } from '../support/scratch-folder.js';
import { type ListeningServer, type ServingFlags, startServing } from '../support/serving.js';

const folder = scratchFolder();

const start = (emulatedVersion: string, data = 'data'): Promise<ListeningServer> => {
  const flags: ServingFlags = { naming: 'kubernetes', controllers: 'none', featureGates: '', emulatedVersion };
  return startServing({ ...flags, storage: `lmdb:${join(folder, data)}` });
};

/** The versions of each kind, the best first, and an object in its first version. */
const kinds = [
  {
    group: 'flowcontrol.apiserver.k8s.io',
    plural: 'flowschemas',
    versions: ['v1', 'v1beta3'],
    object: {
      metadata: { name: 'mine' },
      spec: { priorityLevelConfiguration: { name: 'global-default' }, matchingPrecedence: 77 },
    },
  },
  {
    group: 'flowcontrol.apiserver.k8s.io',
    plural: 'prioritylevelconfigurations',
    versions: ['v1', 'v1beta3'],
    object: {
      metadata: { name: 'mine' },
      spec: { type: 'Limited', limited: { nominalConcurrencyShares: 7, limitResponse: { type: 'Reject' } } },
    },
  },
  {
    group: 'networking.k8s.io',
    plural: 'ipaddresses',
    versions: ['v1', 'v1beta1', 'v1alpha1'],
    object: {
      metadata: { name: '10.7.0.9' },
      spec: { parentRef: { resource: 'services', namespace: 'a', name: 'b' } },
    },
  },
];

/** Reads an object through the first served version. */
async function read(
  server: ListeningServer,
  { group, plural, versions, object }: (typeof kinds)[number],
): Promise<Answer> {
  let answer: Answer = { code: 0, body: {} };
  for (const version of versions) {
    answer = await ask(server, 'GET', `/apis/${group}/${version}/${plural}/${object.metadata.name}`);
    if (answer.code === 200) break;
  }
  return answer;
}

it('stays readable in every release from 1.27 to 1.36, without changes', async () => {
  for (const release of releases) {
    const server = await start(release);
    for (const kind of kinds) {
      const { group, plural, versions, object } = kind;
      const path = `/apis/${group}/${versions.at(-1)}/${plural}`;
      if (release === '1.27') expect((await ask(server, 'POST', path, object)).code).toBe(201);
      let written: Answer;
      do {
        const { code, body } = await read(server, kind);
        expect([release, plural, code]).toEqual([release, plural, 200]);
        expect(body).toMatchObject({ spec: object.spec });
        // The next release reads the write of this one.
        written = await ask(server, 'PUT', `/apis/${body.apiVersion}/${plural}/${object.metadata.name}`, body);
        // A controller may write the status meanwhile.
      } while (written.code === 409);
      expect([release, plural, written.code]).toEqual([release, plural, 200]);
    }
    await server.stop();
  }
}, 600_000);

describe('a step back to an earlier release', () => {
  const steppingBack = (emulatedVersion: string): Promise<ListeningServer> => start(emulatedVersion, 'back');
  const services = '/api/v1/namespaces/default/services';
  const ranges = '/apis/networking.k8s.io/v1/servicecidrs';

  it('is refused with a list if fields or kinds would be lost, and succeeds when they are gone', async () => {
    const latest = await steppingBack('latest');
    const spec = { ports: [{ port: 80 }] };
    for (const name of ['near', 'plain']) {
      const service = {
        metadata: { name },
        spec: name === 'near' ? { ...spec, trafficDistribution: 'PreferClose' } : spec,
      };
      expect((await ask(latest, 'POST', services, service)).code).toBe(201);
    }
    const range = { metadata: { name: 'more' }, spec: { cidrs: ['10.9.0.0/24'] } };
    expect((await ask(latest, 'POST', ranges, range)).code).toBe(201);
    await latest.stop();

    const refused = steppingBack('1.28');
    await expect(refused).rejects.toThrow(StepBackError);
    await expect(refused).rejects.toThrow(/release 1\.28 would lose something of \d+ stored objects:\n/);
    await expect(refused).rejects.toThrow('\n  services "default/near": spec.trafficDistribution\n');
    await expect(refused).rejects.toThrow('\n  servicecidrs.networking.k8s.io "more": the kind\n');
    await expect(refused).rejects.toThrow('\nStart with --emulated-version 1.36, and remove');
    await expect(refused).rejects.not.toThrow('plain');

    const next = await steppingBack('1.35');
    for (const path of [`${services}/near`, `${ranges}/more`]) await ask(next, 'DELETE', path);
    await next.stop();
    const earlier = await steppingBack('1.28');
    expect((await ask(earlier, 'GET', `${services}/plain`)).code).toBe(200);
    await earlier.stop();
    // The step back is complete, so the server does not check objects again.
    const again = await steppingBack('1.28');
    await again.stop();
  }, 60_000);

  it('is refused for a release of the project, too', async () => {
    const schemas = join(folder, 'schemas');
    mkdirSync(schemas);
    const hue = { type: 'string', 'x-kindforge-introduced': '2.1' };
    const openAPIV3Schema = { type: 'object', properties: { hue } };
    const spec = {
      group: 'light.example.com',
      names: { plural: 'bulbs', kind: 'Bulb' },
      scope: 'Cluster',
      versions: [{ name: 'v1', storage: true, schema: { openAPIV3Schema } }],
    };
    const metadata = { name: 'bulbs.light.example.com' };
    const definition = { apiVersion: 'kindforge.dev/v1', kind: 'ResourceDefinition', metadata, spec };
    writeFileSync(join(schemas, 'bulbs.json'), JSON.stringify(definition));
    const storage = `lmdb:${join(folder, 'project')}`;
    const serve = (projectRelease?: string) =>
      startServing({ naming: 'kubernetes', controllers: 'none', schemas, storage, projectRelease });
    const bulbs = '/apis/light.example.com/v1/bulbs';
    const later = await serve('2.1');
    expect((await ask(later, 'POST', bulbs, { metadata: { name: 'red' }, hue: 'red' })).code).toBe(201);
    await later.stop();
    await expect(serve('2.0')).rejects.toThrow(
      '\n  bulbs.light.example.com "red": hue\nStart with --project-release 2.1, and remove',
    );
    const again = await serve();
    await ask(again, 'DELETE', `${bulbs}/red`);
    await again.stop();
    for (const release of ['2.0', '2.0']) await (await serve(release)).stop();
  }, 60_000);
});
