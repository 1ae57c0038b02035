/** A run remembers the runs before it: it repeats only work with another result. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createGenerator } from '../../../../generator/commands/generate.js';
import { generatorStamp } from '../../../../generator/commands/kept-state.js';
import { type GenerateFlags, runGenerate } from '../../../../generator/commands/run-generate.js';
import type { Console } from '../../../../generator/diagnostics/progress.js';
import { filesIn, readFiles, testFolder } from '../../../support/scratch-folder.js';

let root: string;
beforeEach(() => {
  root = testFolder();
});

const at = (path: string): string => join(root, path);
const write = (path: string, text: string) => filesIn(root)(path, text);

/** Runs as a new process, which knows only the cache folder. */
const generate = async (
  flags: Partial<GenerateFlags> = {},
): Promise<{ readonly out: string; readonly said: string }> => {
  const lines: string[] = [];
  const said: string[] = [];
  const console: Console = {
    out: (line) => lines.push(line),
    error: (line) => said.push(line.replace(/; \d+ ms$/, '')),
    progress: { write: () => undefined },
  };
  await runGenerate({ schemas: at('schemas'), out: at('out'), cacheFolder: at('cache'), ...flags }, console);
  return { out: lines.join('\n'), said: said.join('\n') };
};

/** Returns the output of a generator that remembers nothing. */
const anew = (): ReadonlyMap<string, string> => {
  cpSync(at('schemas'), at('anew/schemas'), { recursive: true });
  createGenerator({ schemas: at('anew/schemas'), out: at('anew/out') }).run();
  const files = readFiles(at('anew/out'));
  rmSync(at('anew'), { recursive: true });
  return files;
};

const template = (more = ''): string =>
  `{ type: object, properties: { image: { type: string, description: "${'What runs in it. '.repeat(12)}" }${more} } }`;
const kind = (name: string, spec: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${name.toLowerCase()}s.example.com }
spec:
  group: example.com
  names: { plural: ${name.toLowerCase()}s, kind: ${name} }
  scope: Namespaced
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { ${spec} } } } } } }
`;
const native = (name: string, type: string): string => `apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: ${name.toLowerCase()}s.native.example.com }
spec:
  group: native.example.com
  names: { plural: ${name.toLowerCase()}s, kind: ${name} }
  scope: Namespaced
  versions: [{ name: v1, schema: { openAPIV3Schema: { type: object, properties: { spec: { $ref: "${type}" } } } } }]
`;
const library = (fields: string): string => `apiVersion: kindforge.dev/v1
kind: TypeLibrary
metadata: { name: places/v1 }
spec: { types: { Place: { type: object, properties: { ${fields} } }, Other: { type: object, properties: { a: { type: string } } } } }
`;

const writeAll = (): void => {
  write('schemas/crons.yaml', kind('Cron', `template: ${template()}, only: { type: string }`));
  write('schemas/jobs.yaml', kind('Job', `podTemplate: ${template()}, size: { type: integer }`));
  write('schemas/tasks.yaml', kind('Task', `podTemplate: ${template()}, name: { type: string, enum: [on] }`));
  write('schemas/houses.yaml', native('House', 'places/v1#/Place'));
  write('schemas/barns.yaml', native('Barn', 'places/v1#/Other'));
  write('schemas/places.yaml', library('street: { type: string }'));
};

describe('a run over the same definitions', () => {
  beforeEach(async () => {
    writeAll();
    await generate();
  });

  it('does nothing, and prints the same diagnostics again', async () => {
    const again = await generate();
    expect(again.said).toMatch(/^5 resources, 0 generated; \d+ files, 0 written, 0 removed; 1 warning$/);
    expect(again.out).toContain('tasks.yaml');
    expect((await generate({ check: true })).said).toMatch(/; 0 of \d+ files differ; 1 warning$/);
  });

  it.each([
    ['was edited', () => write('out/example.com/types.ts', 'mine'), 'changed example.com/types.ts'],
    ['was removed', () => rmSync(at('out/registry.ts')), 'missing registry.ts'],
    ['lost its list of files', () => rmSync(at('out/manifest.json')), 'missing manifest.json'],
  ])('notices output that %s', async (_what, change, difference) => {
    change();
    expect((await generate({ check: true })).out).toContain(difference);
    await generate();
    expect(readFiles(at('out'))).toEqual(anew());
  });

  it('notices an edit that does not change the size of a file', async () => {
    const text = readFileSync(at('out/registry.ts'), 'utf8');
    write('out/registry.ts', text.replace('import', 'IMPORT'));
    expect((await generate({ check: true })).out).toContain('changed registry.ts');
  });

  const damage = (): void => {
    for (const name of readdirSync(at('cache'))) write(`cache/${name}`, '{"files":7');
  };
  const removeCache = (): void => rmSync(at('cache'), { recursive: true });
  const putFileInPlace = (): void => {
    removeCache();
    write('cache', 'a file');
  };

  it.each([
    ['is damaged', damage],
    ['is gone', removeCache],
    ['cannot be written', putFileInPlace],
  ])('repeats everything if the cache %s', async (_what, change) => {
    change();
    expect((await generate()).said).toMatch(/^5 resources, 5 generated; \d+ files, 0 written/);
  });

  it('repeats everything without the cache, and leaves no cache', async () => {
    rmSync(at('cache'), { recursive: true });
    expect((await generate({ cache: false })).said).toMatch(/^5 resources, 5 generated/);
    expect(readdirSync(root)).not.toContain('cache');
  });

  it('runs emitters of users each time', async () => {
    let runs = 0;
    const own = [{ name: 'own', emitModel: () => [{ path: 'own.txt', content: `${++runs}` }] }];
    await generate({ own });
    await generate({ own });
    expect(readFileSync(at('out/own.txt'), 'utf8')).toBe('2');
    await generate();
    expect([...readFiles(at('out')).keys()]).not.toContain('own.txt');
  });
});

describe('a run over definitions with some changes', () => {
  beforeEach(async () => {
    writeAll();
    await generate();
  });

  it.each([
    [
      'a field of one kind',
      1,
      () => write('schemas/jobs.yaml', kind('Job', `podTemplate: ${template()}, size: { type: string }`)),
    ],
    [
      'what two kinds still share',
      1,
      () => write('schemas/jobs.yaml', kind('Job', `podTemplate: ${template(', more: { type: string }')}`)),
    ],
    [
      'the names of shared structures',
      3,
      () => {
        write('schemas/jobs.yaml', kind('Job', `template: ${template()}`));
        write('schemas/tasks.yaml', kind('Task', `template: ${template()}`));
      },
    ],
    [
      'a structure that changes everywhere',
      3,
      () => {
        const changed = template(', more: { type: string }');
        write('schemas/crons.yaml', kind('Cron', `template: ${changed}, only: { type: string }`));
        write('schemas/jobs.yaml', kind('Job', `podTemplate: ${changed}, size: { type: integer }`));
        write('schemas/tasks.yaml', kind('Task', `podTemplate: ${changed}, name: { type: string }`));
      },
    ],
    [
      'a shared type',
      1,
      () => write('schemas/places.yaml', library('street: { type: string }, floor: { type: integer }')),
    ],
    ['a new kind', 1, () => write('schemas/locks.yaml', kind('Lock', 'a: { type: string }'))],
    ['a kind that is gone', 0, () => rmSync(at('schemas/crons.yaml'))],
  ])('emits again whatever depends on %s', async (_what, generated, change) => {
    change();
    expect((await generate()).said).toContain(` ${generated} generated`);
    expect(readFiles(at('out'))).toEqual(anew());
    expect((await generate()).said).toMatch(/ 0 generated; \d+ files, 0 written, 0 removed/);
  });

  it('is right after many runs', async () => {
    for (let round = 0; round < 4; round++) {
      write(
        'schemas/jobs.yaml',
        kind(
          'Job',
          `podTemplate: ${template(round % 2 === 0 ? '' : ', a: { type: string }')}, n${round}: { type: string }`,
        ),
      );
      write('schemas/places.yaml', library(`street: { type: string, description: "${round}" }`));
      await generate();
      expect(readFiles(at('out'))).toEqual(anew());
    }
  });

  it('remembers nothing of a refused run', async () => {
    write('schemas/jobs.yaml', 'kind: Job');
    await generate();
    expect((await generate()).said).toBe('1 error, 1 warning; nothing was written');
    writeAll();
    expect((await generate()).said).toMatch(/^5 resources, 0 generated/);
  });
});

it('a run notices that the lock appears or disappears', async () => {
  writeAll();
  await generate();
  mkdirSync(at('schemas/lock'));
  await generate();
  expect(readdirSync(at('schemas/lock'))).toEqual(['protobuf.json']);
  expect((await generate()).said).toMatch(/^5 resources, 0 generated/);
  rmSync(at('schemas/lock/protobuf.json'));
  await generate();
  expect(readdirSync(at('schemas/lock'))).toEqual(['protobuf.json']);
});

it('forgets what another generator did', () => {
  const places = ['client/a.ts', 'generator/commands/kept-state.ts', 'runtime/b.ts', 'bin/kindforge.cjs'];
  for (const place of places) write(place, 'before');
  const stamps = () => [
    generatorStamp(at('generator/commands/kept-state.ts')),
    generatorStamp(at('bin/kindforge.cjs')),
  ];
  const [modules, built] = stamps();
  write('runtime/b.ts', 'after');
  const [otherModules, sameBuilt] = stamps();
  expect(otherModules).not.toBe(modules);
  expect(sameBuilt).toBe(built);
  write('bin/kindforge.cjs', 'after');
  expect(stamps()).toEqual([otherModules, expect.not.stringContaining(built ?? '')]);
});
