/** A server and `dev` compare definitions with the released ones. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { editDefinitions } from '../../../bin/project/dev/definitions.js';
import { runRelease } from '../../../generator/commands/run-release.js';
import { BreakingChangesError, startServer } from '../../../server/index.js';
import { inProjectRelease, loadModules } from '../../../server/load-definitions.js';

const definition = (shelves: object) =>
  JSON.stringify({
    apiVersion: 'kindforge.dev/v1',
    kind: 'ResourceDefinition',
    metadata: { name: 'ovens.cases.example.com' },
    spec: {
      group: 'cases.example.com',
      names: { plural: 'ovens', kind: 'Oven' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { shelves: { type: 'integer', ...shelves } } } },
        },
      ],
    },
  });

const folder = mkdtempSync(join(tmpdir(), 'kindforge-breaks-'));
const write = (shelves: object): void => writeFileSync(join(folder, 'ovens.json'), definition(shelves));
afterAll(() => rmSync(folder, { recursive: true }));

beforeAll(async () => {
  write({});
  const silent = { out: () => {}, error: () => {}, progress: process.stderr };
  expect(await runRelease({ schemas: folder }, silent)).toBe('done');
  write({ maximum: 5 });
});

const report = /ovens\.json:1:\d+ KF5004 ovens\.cases\.example\.com v1 shelves: `maximum` is new/;

describe('definitions that break released ones', () => {
  const options = { http: false, schemas: folder, controllers: [] } as const;

  it('are refused with the report of check', async () => {
    await expect(startServer(options)).rejects.toThrow(report);
    await expect(startServer(options)).rejects.toBeInstanceOf(BreakingChangesError);
  });

  it('are served if the options allow it, and reported', async () => {
    const problems: string[] = [];
    const onProblem = (problem: string): void => void problems.push(problem);
    const server = await startServer({ ...options, allowBreakingChanges: true, onProblem });
    expect(server.registry.find('cases.example.com', 'v1', 'ovens')).toBeDefined();
    expect(problems).toContainEqual(expect.stringMatching(report));
    await server.stop();
  });

  it.each([false, true])('are reported during editing; allowed: %s', async (allowBreakingChanges) => {
    const lines: string[] = [];
    const out = join(folder, 'generated');
    const edited = editDefinitions(
      { schemas: folder, out, emitters: [], allowBreakingChanges },
      (line) => void lines.push(line),
    );
    expect((await edited.read())?.length).toBe(allowBreakingChanges ? 1 : undefined);
    expect(lines).toContainEqual(expect.stringMatching(report));
  });
});

describe('releases of a project', () => {
  it('have their definitions of that time', async () => {
    write({ 'x-kindforge-introduced': '2.1' });
    const { modules } = await loadModules(folder);
    const fields = ['2.0', '2.1', undefined].map((release) =>
      inProjectRelease(modules, release).map(async (module) =>
        Object.keys((await module.code()).schema.properties ?? {}),
      ),
    );
    const found = (await Promise.all(fields.flat())).map((names) => names.includes('shelves'));
    expect(found).toEqual([false, true, true]);
  });

  it('are refused without two numbers', () =>
    expect(
      startServer({ http: false, schemas: folder, allowBreakingChanges: true, projectRelease: 'v2' }),
    ).rejects.toThrow(/projectRelease v2: must be two numbers, as in 2\.1/));
});
