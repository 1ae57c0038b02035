/** Tables of the documentation that list parts of the product list all of them, and nothing else. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addImport } from '../../../bin/commands/import.js';
import { addStorage } from '../../../bin/commands/storage.js';
import { controls } from '../../../plugins/admission/pod-security/standard.js';
import { machineryGates } from '../../../runtime/registry/known-gates.js';
import { controllerTable } from '../../../server/controllers/choose.js';
import { root } from '../../support/shared.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Every file of tests and of their shared code. Folders of installed packages are left out. */
const testFiles = ['test', 'packages/interop', 'packages/tools'].flatMap(filesIn);

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : filesIn(`${folder}/${entry.name}`);
    return entry.name.endsWith('.ts') ? [`${folder}/${entry.name}`] : [];
  });
}

/** Lists the names in backticks in the first cells of a page's tables below a heading. */
function firstCells(path: string, heading: string): string[] {
  const [, below = ''] = read(path).split(`\n${heading}\n`);
  const [section = ''] = below.split(/\n## /);
  const cells = [...section.matchAll(/^\| (`.*?) *\|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
}

describe('tables of the documentation', () => {
  it('list every flag of the import commands', () => {
    const program = new Command();
    addImport(program);
    const [imports] = program.commands;
    const flags = imports?.commands.flatMap(({ options }) => options.map((option) => option.flags)) ?? [];
    expect(firstCells('docs/import.md', '## Flags').sort()).toEqual([...new Set(flags)].sort());
  });

  it('list every command of storage with all of its flags', () => {
    const program = new Command();
    addStorage(program);
    const [storage] = program.commands;
    const commands = storage?.commands.flatMap((command) => {
      const { options, registeredArguments } = command;
      const file = registeredArguments.map((one) => ` <${one.name()}>`).join('');
      const needed = options.filter(({ mandatory }) => mandatory).map(({ flags }) => ` ${flags}`);
      const other = options.filter(({ mandatory }) => !mandatory).map(({ flags }) => flags);
      // A flag that needs a value, and is sometimes optional, is one of several to choose from.
      const chosen = other.filter((flags) => flags.includes('<'));
      const rest = other.filter((flags) => !flags.includes('<')).map((flags) => ` [${flags}]`);
      const [base, tail] = [`${command.name()}${file}${needed.join('')}`, rest.join('')];
      return chosen.length > 0 ? chosen.map((flags) => `${base} ${flags}${tail}`) : [`${base}${tail}`];
    });
    expect(firstCells('docs/storage-transfer.md', '## Commands').sort()).toEqual(commands?.sort());
  });

  it('list every control of pod security with its level and its first version', () => {
    const rows = [
      ...read('docs/pod-security.md').matchAll(/^\| `(\w+)` *\| (baseline|restricted) *\| (v1\.\d+) *\|/gm),
    ];
    expect(rows.map(([, id, level, since]) => ({ id, level, since }))).toEqual(
      controls.map(({ id, level, versions }) => ({ id, level, since: `v1.${versions[0]?.since}` })),
    );
  });

  it('list every gate of the machinery', () =>
    expect(firstCells('docs/releases.md', '## Without the flag')).toEqual([...machineryGates]));

  it('list every key that only the native format has', () => {
    const { properties }: { properties: object } = JSON.parse(read('schemas/meta/schema-node.schema.json'));
    const definition = JSON.parse(read('schemas/meta/resource-definition.schema.json'));
    const keys = Object.keys(properties).filter((key) => key.startsWith('x-kindforge-'));
    const ofCustomResources = ['group', 'names', 'scope', 'versions'];
    const ofSpec = Object.keys(definition.properties.spec.properties).filter((key) => !ofCustomResources.includes(key));
    const listed = firstCells('docs/definitions.md', '## What the native format adds');
    expect(listed.filter((key) => key.startsWith('x-')).sort()).toEqual(keys.sort());
    expect(listed.filter((key) => /^[a-zA-Z]+$/.test(key)).sort()).toEqual(ofSpec.sort());
  });

  it('list everything that the package publishes', () => {
    const { exports }: { exports: object } = JSON.parse(read('package.json'));
    const published = Object.keys(exports).filter((name) => name !== './package.json');
    const listed = firstCells('docs/generate.md', '## In a project of your own').map((name) =>
      name.replace('kindforge', '.'),
    );
    expect(listed.sort()).toEqual(published.sort());
  });

  it('list every controller, and whether it runs by default', () => {
    const rows = [...read('docs/controllers.md').matchAll(/^\| (`.*`) \| .* \| (runs?|off) \|$/gm)];
    const listed = rows.flatMap(([, names = '', runs]) =>
      [...names.matchAll(/`([^`]+)`/g)].map(([, name]) => ({ name, byDefault: runs !== 'off' })),
    );
    expect(listed).toEqual(controllerTable.map(({ name, byDefault }) => ({ name, byDefault })));
  });

  it('list every variable that makes tests longer', () => {
    const named = testFiles.flatMap((path) => read(path).match(/(?<=effort\(')KINDFORGE_\w+/g) ?? []);
    expect(firstCells('docs/testing.md', '## Asking for more').sort()).toEqual([...new Set(named)].sort());
  });

  const withTests = ['docs/storage.md', 'docs/storage-etcd.md', 'docs/storage-postgres.md', 'docs/testing.md'];
  it.each(withTests)('name existing tests: %s', (page) => {
    const named = [...read(page).matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, path = '']) => path);
    const lost = named.filter((path) => !testFiles.some((file) => file === path || file.endsWith(`/${path}`)));
    expect(named.length).toBeGreaterThan(0);
    expect(lost).toEqual([]);
  });
});
