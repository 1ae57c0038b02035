/** Steps back to an earlier release over one store, and the mark of the release in the store. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../../runtime/contract/index.js';
import { namingOf } from '../../../../runtime/objects/names/naming.js';
import { type EmulatedVersion, emulate } from '../../../../runtime/objects/release.js';
import { writtenBy } from '../../../../runtime/server/index.js';
import { memoryBackend, openStore } from '../../../../runtime/storage/index.js';
import { builtinKinds } from '../../../../server/builtin-kinds.js';
import { modulesOfTexts, withDefinitions } from '../../../../server/load-definitions.js';
import { markRelease, refuseStepBack } from '../../../../server/parts/check-step-back.js';

const naming = namingOf('platform') ?? never();
function never(): never {
  throw new Error('no such naming');
}

let store: Store;
beforeEach(async () => {
  store = await openStore({ backend: memoryBackend(), readAttributes: () => ({ labels: {}, fields: {} }) });
});

async function put(
  plural: string,
  name: string,
  more: string,
  apiVersion = 'networking.platform.io/v1alpha1',
): Promise<void> {
  const head = `{"kind":"A","apiVersion":"${apiVersion}","metadata":{"resourceVersion":"`;
  const text = `${head}","name":"${name}"},${more}}`;
  const next = { text, revisionAt: head.length, attributes: { labels: {}, fields: {} } };
  const { outcome } = await store.commit({ key: `${apiVersion.split('/')[0]}/${plural}/${name}`, expected: 0, next });
  expect(outcome).toBe('committed');
}

const stepTo = (version: EmulatedVersion | undefined): Promise<void> => {
  const release = emulate(version);
  return refuseStepBack({ store, place: 'here' }, builtinKinds(naming, { release }), naming, { release });
};

const mark = (version: EmulatedVersion | undefined, project?: string): Promise<string | undefined> =>
  markRelease(store, { release: emulate(version), project });

describe('a step back', () => {
  it('names 20 objects, and the number of the others', async () => {
    await mark('1.36');
    for (let i = 10; i < 35; i++) await put('servicecidrs', `s${i}`, '"spec":{"cidrs":["10.0.0.0/24"]}');
    const refusal = await stepTo('1.28').catch((error: unknown) => String(error));
    const lines = String(refusal).split('\n');
    expect(lines[0]).toContain('here: release 1.28 would lose something of 25 stored objects:');
    expect(lines.filter((line) => line.endsWith(': the kind'))).toHaveLength(20);
    expect(lines.at(-2)).toBe('  and 5 more');
    await expect(stepTo('1.30')).resolves.toBeUndefined();
  });

  it('loses no objects that the server creates itself', async () => {
    await mark('1.36');
    await put('servicecidrs', 'kubernetes', '"spec":{"cidrs":["10.0.0.0/24"]}');
    await expect(stepTo(undefined)).resolves.toBeUndefined();
    await expect(stepTo('1.27')).resolves.toBeUndefined();
  });

  it('is not checked in data of servers without a release, unless the machinery is earlier', async () => {
    await put('servicecidrs', 's', '"spec":{"cidrs":["10.0.0.0/24"]}');
    await expect(stepTo(undefined)).resolves.toBeUndefined();
    await expect(stepTo('1.27')).rejects.toThrow('\nStart with no --emulated-version, and remove');
  });
});

describe('the mark of a store', () => {
  it('is not written by servers that emulate no release, and is the last release otherwise', async () => {
    await mark(undefined);
    expect([store.revision, writtenBy(store)]).toEqual([0, undefined]);
    for (const version of ['1.36', '1.30', undefined] as const) {
      await mark(version);
      const { name, machinery } = emulate(version);
      expect(writtenBy(store)).toEqual({ name, machinery, project: undefined });
    }
    const { revision } = store;
    await mark(undefined);
    expect(store.revision).toBe(revision);
  });

  it('is the latest of all if other servers write too', async () => {
    const shared = Object.assign(store, { basis: () => undefined });
    for (const version of ['1.33', '1.36', '1.30'] as const) await markRelease(shared, { release: emulate(version) });
    expect(writtenBy(shared)).toEqual({ name: '1.36', machinery: '1.36', project: undefined });
  });
});

describe('a step back to an earlier release of a project', () => {
  const definition = (plural: string, kind: string, introduced: string, properties: object) => ({
    path: `${plural}.json`,
    text: JSON.stringify({
      apiVersion: 'kindforge.dev/v1',
      kind: 'ResourceDefinition',
      metadata: { name: `${plural}.light.example.com` },
      spec: {
        group: 'light.example.com',
        names: { plural, kind },
        scope: 'Cluster',
        versions: [
          {
            name: 'v1',
            storage: true,
            stability: { level: 'stable', introduced },
            schema: { openAPIV3Schema: { type: 'object', properties } },
          },
        ],
      },
    }),
  });
  const hue = { type: 'string', 'x-kindforge-introduced': '2.1' };
  const definitions = modulesOfTexts([
    definition('bulbs', 'Bulb', '1.0', { watts: { type: 'integer' }, hue }),
    definition('wires', 'Wire', '2.1', { metres: { type: 'integer' } }),
  ]);
  const stepBack = async (project: string | undefined, version?: EmulatedVersion): Promise<void> => {
    const release = emulate(version);
    const given = builtinKinds(naming, { release });
    const kinds = await withDefinitions(given, { modules: await definitions }, { release: project });
    await refuseStepBack({ store, place: 'here' }, kinds, naming, { release, project });
  };
  const fill = async (): Promise<void> => {
    await put('bulbs', 'red', '"watts":7,"hue":"red"', 'light.example.com/v1');
    await put('bulbs', 'plain', '"watts":7', 'light.example.com/v1');
    await put('wires', 'long', '"metres":7', 'light.example.com/v1');
  };

  it('is refused if fields or kinds of the definitions would be lost', async () => {
    await fill();
    const lost =
      'here: release 2.0 of the project would lose something of 2 stored objects:\n' +
      '  bulbs.light.example.com "red": hue\n  wires.light.example.com "long": the kind\n';
    await expect(stepBack('2.0')).rejects.toThrow(`${lost}Start with no --project-release, and remove what`);
    await mark(undefined, '2.1');
    await expect(stepBack('2.0')).rejects.toThrow(`${lost}Start with --project-release 2.1, and remove what`);
    for (const project of ['2.1', '3.0', undefined]) await expect(stepBack(project)).resolves.toBeUndefined();
  });

  it('is checked once: objects are not read again', async () => {
    await fill();
    await mark(undefined, '2.0');
    await expect(stepBack('2.0')).resolves.toBeUndefined();
    await expect(stepBack('1.5')).rejects.toThrow('release 1.5 of the project');
  });

  it('checks the built-in kinds only if the API steps back too', async () => {
    await fill();
    await put('servicecidrs', 's', '"spec":{"cidrs":["10.0.0.0/24"]}');
    await mark('1.36', '2.1');
    await expect(stepBack('2.1', '1.28')).rejects.toThrow(
      'here: release 1.28 would lose something of 1 stored object:',
    );
    await expect(stepBack('2.0', '1.36')).rejects.toThrow('of 2 stored objects:');
    await expect(stepBack('2.0', '1.28')).rejects.toThrow(
      /here: release 1\.28 and release 2\.0 of the project would lose something of 3 stored objects:\n(?:.*\n)*Start with --emulated-version 1\.36 and --project-release 2\.1, and/,
    );
  });

  it('is checked by each start if others may still write a later one', async () => {
    await fill();
    const shared = Object.assign(store, { basis: () => undefined });
    await markRelease(shared, { release: emulate(), project: '2.0' });
    expect(writtenBy(shared)?.project).toBeUndefined();
    await mark(undefined, '2.1');
    expect(writtenBy(shared)?.project).toBeUndefined();
  });
});
