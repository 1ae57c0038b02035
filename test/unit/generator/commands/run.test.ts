import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { openGate } from '../../../../generator/commands/open-gate.js';
import { runCheck } from '../../../../generator/commands/run-check.js';
import { runGenerate } from '../../../../generator/commands/run-generate.js';
import type { Console } from '../../../../generator/diagnostics/progress.js';
import { filesIn, testFolder } from '../../../support/scratch-folder.js';

let root: string;
beforeEach(() => {
  root = testFolder();
  write(GOOD);
});

const write = (text: string) => filesIn(root)('schemas/widgets.yaml', text);
const GOOD = `apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  names: { plural: widgets, kind: Widget }
  scope: Cluster
  versions:
    - name: v1
      schema: { openAPIV3Schema: { type: object } }
`;

const record = (): { readonly console: Console; readonly out: string[]; readonly errors: string[] } => {
  const out: string[] = [];
  const errors: string[] = [];
  const console: Console = {
    out: (line) => out.push(line),
    error: (line) => errors.push(line.replace(/\d+ ms$/, 'some ms')),
    progress: { write: () => undefined },
  };
  return { console, out, errors };
};
const check = () => {
  const { console, out, errors } = record();
  return { ending: runCheck({ schemas: join(root, 'schemas') }, console), out, errors };
};
const generate = async (flags: { readonly check?: boolean; readonly cache?: boolean } = {}) => {
  const { console, out, errors } = record();
  const folders = { schemas: join(root, 'schemas'), out: join(root, 'out'), cacheFolder: join(root, 'cache') };
  const ending = await runGenerate({ ...folders, ...flags }, console);
  return { ending, out, errors };
};

describe('check', () => {
  test('prints little for correct definitions', () => {
    expect(check()).toEqual({ ending: 'done', out: [], errors: ['1 resource without errors'] });
  });

  test('prints mistakes and refuses', () => {
    write(GOOD.replace('scope: Cluster', 'scpe: Cluster'));
    expect(check()).toEqual({
      ending: 'refused',
      out: [
        'widgets.yaml:5:3 KF2004 `scope` is missing in `spec`',
        'widgets.yaml:7:3 KF2003 unknown key `scpe` in `spec`\n    did you mean `scope`?',
      ],
      errors: ['0 resources without errors; 2 errors'],
    });
  });

  test('does not refuse for warnings', () => {
    write(GOOD.replace('type: object', 'type: object, properties: { spec: { type: string, enum: [on] } }'));
    expect(check()).toMatchObject({ ending: 'done', errors: ['1 resource without errors; 1 warning'] });
  });

  test('refuses a folder that does not exist', () => {
    rmSync(join(root, 'schemas'), { recursive: true });
    expect(check()).toMatchObject({
      ending: 'refused',
      out: [expect.stringMatching(/^\.:1:1 KF1001 \S+\/schemas does not exist\n/)],
    });
  });

  test('refuses a file in place of the folder', async () => {
    const { console, out } = record();
    const schemas = join(root, 'schemas/widgets.yaml');
    expect(runCheck({ schemas, gate: await openGate({ schemas }) }, console)).toBe('refused');
    expect(out).toEqual([expect.stringMatching(/^\.:1:1 KF1001 \S+\/widgets\.yaml is not a folder\n/)]);
  });
});

describe('generate', () => {
  test('prints a summary', async () => {
    expect((await generate()).errors[0]).toMatch(
      /^1 resource, 1 generated; (\d+) files, \1 written, 0 removed; some ms$/,
    );
    expect((await generate()).errors[0]).toMatch(/^1 resource, 0 generated; \d+ files, 0 written, 0 removed; some ms$/);
    expect((await generate({ cache: false })).errors[0]).toMatch(/^1 resource, 1 generated; \d+ files, 0 written/);
  });

  test('refuses definitions with errors', async () => {
    write('kind: Widget');
    const { ending, out, errors } = await generate();
    expect(ending).toBe('refused');
    expect(out).toHaveLength(1);
    expect(errors).toEqual(['1 error; nothing was written']);
  });

  test('lists differences with check', async () => {
    expect((await generate({ check: true })).ending).toBe('refused');
    await generate();
    expect(await generate({ check: true })).toMatchObject({ ending: 'done', out: [] });
    writeFileSync(join(root, 'out/registry.ts'), 'mine');
    expect(await generate({ check: true })).toMatchObject({ ending: 'refused', out: ['changed registry.ts'] });
  });

  test('fails if the output cannot be written', async () => {
    writeFileSync(join(root, 'out'), 'a file');
    const { ending, errors } = await generate();
    expect(ending).toBe('failed');
    expect(errors[0]).toMatch(/^kindforge: /);
  });
});
