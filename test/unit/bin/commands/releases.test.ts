/** The command `kindforge releases`: its arguments, and what it refuses. */
import { expect, it, vi } from 'vitest';
import { createProgram } from '../../../../bin/program.js';
import { testFolder } from '../../../support/scratch-folder.js';

const lamps = `
apiVersion: kindforge.dev/v1
kind: ResourceDefinition
metadata: { name: lamps.light.example.com }
spec:
  group: light.example.com
  names: { plural: lamps, kind: Lamp }
  scope: Namespaced
  versions:
    - name: v1
      storage: true
      stability: { level: stable, introduced: "2.1" }
      schema:
        openAPIV3Schema: &lamp
          type: object
          properties:
            watts: { type: integer }
            hue: { type: string, x-kindforge-introduced: "3.0" }
    - name: v1beta1
      storage: false
      stability: { level: beta, introduced: "1.0", removed: "2.1" }
      schema: { openAPIV3Schema: *lamp }
`;

async function run(...args: readonly string[]) {
  const out = vi.spyOn(console, 'log').mockImplementation(() => {});
  const error = vi.spyOn(console, 'error').mockImplementation(() => {});
  const before = process.exitCode;
  await createProgram().parseAsync(['releases', ...args], { from: 'user' });
  const [lines, errors] = [out, error].map((spy) => spy.mock.calls.map(([line]) => String(line)));
  const code = process.exitCode;
  process.exitCode = before;
  vi.restoreAllMocks();
  return { code, lines: lines ?? [], errors: errors ?? [] };
}

it('counts the changes of each release', async () => {
  const { code, lines } = await run();
  expect(code).toBe(0);
  expect(lines.map((line) => line.split(' ')[0])).toEqual([
    'RELEASE',
    '1.28',
    '1.29',
    '1.30',
    '1.31',
    '1.32',
    '1.33',
    '1.34',
    '1.35',
    '1.36',
  ]);
  expect(JSON.parse((await run('--output', 'json')).lines.join('\n'))).toHaveLength(9);
});

it('compares two releases, the second one is the latest by default', async () => {
  expect((await run('1.31', '1.32')).lines).toContain('  - APIListChunking: GA, on, locked');
  const { from, to, gates } = JSON.parse((await run('default', '--output', 'json')).lines.join('\n'));
  expect([from, to]).toEqual(['default', 'latest']);
  expect(gates).toContainEqual({ gate: 'ServerSideApply', before: { stage: 'ga', byDefault: true, locked: true } });
  expect((await run('1.36')).lines).toEqual(['nothing differs']);
});

it('uses the requested names of groups', async () => {
  const groups = async (...args: readonly string[]): Promise<ReadonlySet<string>> => {
    const { kinds } = JSON.parse((await run('1.27', 'latest', '-o', 'json', ...args)).lines.join('\n'));
    return new Set(kinds.map(({ group }: { readonly group: string }) => group));
  };
  expect([...(await groups('--of', 'flowcontrol.platform.io'))]).toEqual(['flowcontrol.platform.io']);
  expect([...(await groups('--naming', 'kubernetes', '--of', 'flowcontrol.apiserver.k8s.io'))]).toEqual([
    'flowcontrol.apiserver.k8s.io',
  ]);
});

it('compares releases of a project, with its own kinds only', async () => {
  const schemas = testFolder({ 'lamps.yaml': lamps });
  expect((await run('2.0', '2.1', '--schemas', schemas)).lines).toEqual([
    'KINDS (2)',
    '  + light.example.com/v1 Lamp (lamps)',
    '  - light.example.com/v1beta1 Lamp (lamps)',
  ]);
  expect((await run('2.1', '3.0', '--schemas', schemas)).lines).toEqual([
    'FIELDS (1)',
    '  + light.example.com/v1 Lamp .hue',
  ]);
  expect((await run('2.1', '--schemas', schemas)).errors).toEqual([
    'kindforge: --schemas: name two of your releases, as in 2.0 2.1',
  ]);
});

it.each([
  [['1.99'], /^kindforge: 1\.99 is not a release; use 1\.27, .*, latest or default$/],
  [
    ['1.27', '--of', 'deploymentz'],
    /^kindforge: --of deploymentz: there is no such group or kind; did you mean `deployments?`\?$/,
  ],
])('refuses %j', async (args, message) => {
  const { code, errors } = await run(...args);
  expect(code).toBe(2);
  expect(errors.join('\n')).toMatch(message);
});
