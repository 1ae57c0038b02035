/**
 * Golden tests: each folder of `test/golden` holds definitions (`input/`), the mistakes in them (`diagnostics.txt`),
 * and, unless its name is that of a diagnostic, all that is generated from them (`expected/`). A folder with
 * `prepare.mjs` gets inputs added that cannot be kept in a repository, or is run with options. `UPDATE_GOLDEN=1` writes what comes out.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { createGenerator } from '../generator/commands/generate.js';
import { openGate } from '../generator/commands/open-gate.js';
import { runCheck } from '../generator/commands/run-check.js';
import { codes } from '../generator/diagnostics/codes.js';
import { printDiagnostic } from '../generator/diagnostics/print.js';

const root = fileURLToPath(new URL('./golden/', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'kindforge-golden-'));
/** Pairs of definitions are another test's: `diff-golden.test.ts`. */
const cases = readdirSync(root)
  .filter((name) => name !== 'diff')
  .sort();
const codeOf = (name: string): string | undefined => /^KF\d{4}/.exec(name)?.[0];

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The output of the generator for a case. */
interface Output {
  readonly diagnostics: string;
  /** Contents by path; none for cases of diagnostics, so that they do not change with the emitters. */
  readonly files: ReadonlyMap<string, string>;
}

/** The exports of `prepare.mjs`. */
interface Preparation {
  readonly prepare?: (folder: string) => void;
  readonly options?: { readonly check: boolean };
}

async function run(name: string): Promise<Output> {
  const schemas = join(scratch, name, 'input');
  const out = join(scratch, name, 'out');
  cpSync(join(root, name, 'input'), schemas, { recursive: true });
  const path = join(root, name, 'prepare.mjs');
  const module: Preparation = existsSync(path) ? await import(path) : {};
  module.prepare?.(schemas);
  const { diagnostics } = createGenerator({ schemas, out, gate: await openGate({ schemas }), ...module.options }).run();
  const text = diagnostics.map((each) => `${printDiagnostic(each)}\n`).join('');
  return { diagnostics: text, files: codeOf(name) === undefined ? readFolder(out) : new Map() };
}

function expected(name: string): Output {
  const path = join(root, name, 'diagnostics.txt');
  return {
    diagnostics: existsSync(path) ? readFileSync(path, 'utf8') : '',
    files: readFolder(join(root, name, 'expected')),
  };
}

/** The files below a folder; none where there is no folder. */
function readFolder(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

function compare(actual: Output, wanted: Output): void {
  expect(actual.diagnostics).toBe(wanted.diagnostics);
  expect([...actual.files.keys()]).toEqual([...wanted.files.keys()]);
  for (const [path, content] of actual.files) expect(content, path).toBe(wanted.files.get(path));
}

/** Makes a case's expectation what came out. */
function update(name: string, { diagnostics, files }: Output): void {
  writeFileSync(join(root, name, 'diagnostics.txt'), diagnostics);
  rmSync(join(root, name, 'expected'), { recursive: true, force: true });
  if (files.size > 0) cpSync(join(scratch, name, 'out'), join(root, name, 'expected'), { recursive: true });
}

describe.each(cases)('%s', (name) => {
  test('comes out as expected', async () => {
    const actual = await run(name);
    if (process.env.UPDATE_GOLDEN === '1') update(name, actual);
    compare(actual, expected(name));
  });

  test.skipIf(name === 'KF5003-lock-behind')('is told by `check` in the same words', async () => {
    const schemas = join(scratch, name, 'input');
    if (!existsSync(schemas)) await run(name);
    const lines: string[] = [];
    const stream = { isTTY: false, write: () => true };
    runCheck(
      { schemas, gate: await openGate({ schemas }) },
      { out: (line) => lines.push(`${line}\n`), error: () => {}, progress: stream },
    );
    expect(lines.join('')).toBe(expected(name).diagnostics);
  });

  test('shows what its name says', () => {
    const { diagnostics, files } = expected(name);
    const code = codeOf(name);
    if (code === undefined) expect(diagnostics.length + files.size).toBeGreaterThan(0);
    else expect(diagnostics).toContain(` ${code} `);
  });
});

test('every code has a case', () => {
  const told = cases.map((name) => expected(name).diagnostics).join('');
  expect(Object.keys(codes).filter((code) => !told.includes(` ${code} `))).toEqual([]);
});

test('a golden fails on any difference', () => {
  const right: Output = { diagnostics: 'a.yaml:1:1 KF1003 text\n', files: new Map([['a.ts', 'content\n']]) };
  const wrong: readonly Output[] = [
    { ...right, diagnostics: 'a.yaml:1:2 KF1003 text\n' },
    { ...right, files: new Map() },
    { ...right, files: new Map([['b.ts', 'content\n']]) },
    { ...right, files: new Map([['a.ts', 'content']]) },
    {
      ...right,
      files: new Map([
        ['a.ts', 'content\n'],
        ['b.ts', ''],
      ]),
    },
  ];
  compare(right, right);
  for (const each of wrong) {
    expect(() => compare(each, right)).toThrow();
    expect(() => compare(right, each)).toThrow();
  }
});
