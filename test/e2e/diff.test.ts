/** `kindforge diff` with every kind of side, exit codes, and the gate in `check`, `generate` and `release`. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../support/run-here.js';
import { scratchFolder } from '../support/scratch-folder.js';
import type { Ended } from '../support/server-process.js';
import { type ListeningServer, startServing } from '../support/serving.js';

const definition = (size: string): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: lamps.light.example.com }
spec:
  group: light.example.com
  names: { plural: lamps, kind: Lamp }
  scope: Namespaced
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: { type: object, properties: { size: ${size} } }
`;

const folder = scratchFolder();
const path = (...parts: readonly string[]): string => join(folder, ...parts);

/** Writes a folder with the one definition. */
function written(name: string, size: string): string {
  mkdirSync(path(name), { recursive: true });
  writeFileSync(path(name, 'lamps.yaml'), definition(size));
  return path(name);
}

const wide = written('wide', '{ type: string, maxLength: 9 }');
const narrow = written('narrow', '{ type: string, maxLength: 8 }');

describe('diff', () => {
  it.each<[string, readonly string[], number, RegExp]>([
    ['no break', [narrow, wide], 0, /safe: .*tried on \d+ objects/],
    ['no difference', [wide, wide], 0, /no difference in 1 resource/],
    ['a break', [wide, narrow], 1, /break: lamps.light.example.com v1 spec.size/],
    ['a missing side', [wide, path('nowhere')], 2, /nowhere does not exist/],
    ['no side, and nothing released', [], 2, /name a side to compare with, or run kindforge release/],
    ['an unknown format', [wide, narrow, '--format', 'xml'], 2, /Allowed choices are text, json, sarif, github/],
    ['a missing allow file', [wide, narrow, '--allow', path('nothing.yaml')], 2, /--allow .* does not exist/],
  ])('of %s', async (_name, args, code, words) => {
    const result = await runHere('diff', ...args, '--project', 'none');
    expect(result).toMatchObject({ code });
    expect(`${result.out}${result.err}`).toMatch(words);
  });

  it('counts open findings as breaking with --strict', async () => {
    const open = written('open', '{ type: string, maxLength: 9, nullable: true }');
    expect(await runHere('diff', wide, open, '--project', 'none')).toMatchObject({ code: 0 });
    expect(await runHere('diff', wide, open, '--project', 'none', '--strict')).toMatchObject({ code: 1 });
  });

  it('reports the places of errors in a definition', async () => {
    const broken = written('broken', '{ type: nonsense }');
    const { code, err } = await runHere('diff', wide, broken, '--project', 'none');
    expect(code).toBe(2);
    expect(err).toContain(`${join(broken, 'lamps.yaml')}:16:`);
  });
});

describe('a server', () => {
  let server: ListeningServer;
  let beforeAny: Ended;
  beforeAll(async () => {
    server = await startServing();
    beforeAny = await runHere('diff', `server:${server.url}`, wide, '--project', 'none');
    const post = (at: string, body: string, type: string): Promise<Response> =>
      fetch(`${server.url}${at}`, { method: 'POST', headers: { 'content-type': type }, body });
    const made = await post(
      '/apis/apiextensions.platform.io/v1/customresourcedefinitions',
      definition('{ type: string, maxLength: 9 }').replace('apiextensions.k8s.io', 'apiextensions.platform.io'),
      'application/yaml',
    );
    expect(made.status).toBe(201);
    const lamp =
      '{"apiVersion":"light.example.com/v1","kind":"Lamp","metadata":{"name":"a"},"spec":{"size":"123456789"}}';
    for (let attempt = 0; attempt < 100; attempt++) {
      const { status } = await post('/apis/light.example.com/v1/namespaces/default/lamps', lamp, 'application/json');
      if (status === 201) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }, 120_000);
  afterAll(() => server.stop());

  it('without definitions is a side to which all are new', () =>
    expect(beforeAny).toMatchObject({ code: 0, out: expect.stringContaining('the resource is new') }));

  it('is a side, and definitions of others in it do not count as removed', async () => {
    const side = `server:${server.url}`;
    expect(await runHere('diff', side, wide, '--project', 'none')).toMatchObject({ code: 0 });
    const { code, out } = await runHere('diff', side, narrow, '--project', 'none');
    expect(code).toBe(1);
    expect(out).toContain(`before: ${side}/light.example.com/lamps.yaml:`);
    expect(await runHere('diff', wide, narrow, '--project', 'none', '--objects', side)).toMatchObject({ code: 1 });
  });
});

describe('the released definitions', () => {
  const schemas = (): string => path('project', 'schemas');
  const check = (...more: readonly string[]) => runHere('check', '--schemas', schemas(), '--project', 'none', ...more);
  const generate = () => runHere('generate', '--schemas', schemas(), '--out', path('project/out'), '--project', 'none');
  const release = (...more: readonly string[]) =>
    runHere('release', '--schemas', schemas(), '--project', 'none', ...more);

  it('must not break until the break is accepted', async () => {
    cpSync(wide, schemas(), { recursive: true });
    expect(await check()).toMatchObject({ code: 0 });
    expect(existsSync(join(schemas(), 'lock'))).toBe(false);
    expect(await release()).toMatchObject({ code: 0 });
    expect(readFileSync(join(schemas(), 'lock/released/lamps.yaml'), 'utf8')).toBe(
      definition('{ type: string, maxLength: 9 }'),
    );
    expect(await generate()).toMatchObject({ code: 0 });

    cpSync(narrow, schemas(), { recursive: true });
    for (const run of [check, generate, release]) {
      expect(await run()).toMatchObject({ code: 1, out: expect.stringMatching(/^lamps.yaml:16:\d+ KF5004 /) });
    }
    const entry =
      '  - { resource: lamps.light.example.com, path: spec.size, keyword: maxLength, reason: a, expires: 2999-01-01 }';
    writeFileSync(join(schemas(), 'lock/allow.yaml'), `allow:\n${entry}\n`);
    for (const run of [check, generate]) expect(await run()).toMatchObject({ code: 0, out: '' });
    expect(await release()).toMatchObject({ code: 0 });
    // The break itself is released now, so the entry is unnecessary.
    expect(await check()).toMatchObject({
      code: 0,
      out: expect.stringContaining('lock/allow.yaml:2:1 KF5007 warning: unused'),
    });
  });

  it('are one side to compare with, and --against names another', async () => {
    rmSync(join(schemas(), 'lock/allow.yaml'), { force: true });
    expect(await check('--against', wide)).toMatchObject({ code: 1, out: expect.stringContaining('KF5004') });
    expect(await check('--against', path('nowhere'))).toMatchObject({ code: 2 });
  });
});
