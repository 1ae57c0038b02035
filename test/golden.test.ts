/**
 * Golden tests of the generator. A file of `test/golden/mistakes` has the diagnostics of a code, and below them the
 * definitions with these mistakes. Another folder of `test/golden` has definitions (`input/`), their mistakes
 * (`diagnostics.txt`), and generated files (`expected/`): `native` has all of them, other folders only the ones that
 * they are about; `manifest.json` has the hashes of the others. `UPDATE_GOLDEN=1` writes the results.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { createGenerator } from '../generator/commands/generate.js';
import { openGate } from '../generator/commands/open-gate.js';
import { runCheck } from '../generator/commands/run-check.js';
import { codes } from '../generator/diagnostics/codes.js';
import { printDiagnostic } from '../generator/diagnostics/print.js';
import { printArchive, readArchive } from './support/archive.js';
import { readFiles, scratchFolder } from './support/scratch-folder.js';

const root = fileURLToPath(new URL('./golden/', import.meta.url));
const scratch = scratchFolder();

const mistakes = readdirSync(join(root, 'mistakes')).map((file) => basename(file, '.txtar'));
const folders = readdirSync(root).filter((name) => name !== 'diff' && name !== 'mistakes');

/** Adds inputs that text files cannot contain. */
const additions: Readonly<Record<string, (folder: string) => void>> = {
  'KF1001-unreadable': (folder) => {
    symlinkSync('circle.yaml', join(folder, 'circle.yaml'));
    symlinkSync('nowhere.yaml', join(folder, 'dangling.yaml'));
  },
  'KF1002-not-utf8': (folder) => {
    const encode = (file: string, encoding: BufferEncoding, mark = ''): void => {
      const path = join(folder, file);
      writeFileSync(path, Buffer.from(mark + readFileSync(path, 'utf8'), encoding));
    };
    encode('latin1.yaml', 'latin1');
    encode('utf16.yaml', 'utf16le', '\ufeff');
  },
  'KF1005-too-large': (folder) => writeFileSync(join(folder, 'large.yaml'), Buffer.alloc(16 * 1024 * 1024 + 1, '#')),
  'KF1006-deep': (folder) => {
    const aliases = Array.from(
      { length: 320 },
      (_, index) => `a${index}: &a${index} [${index ? `*a${index - 1}` : 'x'}]\n`,
    );
    writeFileSync(join(folder, 'aliases.yaml'), aliases.join(''));
  },
};

/** The case about a lock that is compared only if nothing may be written. */
const onlyCompared = 'KF5003-lock-behind';

/** Returns the folder of a case's definitions. */
function inputOf(name: string): string {
  const folder = join(scratch, name, 'input');
  if (existsSync(folder)) return folder;
  if (!mistakes.includes(name)) cpSync(join(root, name, 'input'), folder, { recursive: true });
  else {
    for (const [path, content] of readArchive(readFileSync(archiveOf(name), 'utf8')).files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
  }
  additions[name]?.(folder);
  return folder;
}

const archiveOf = (name: string): string => join(root, 'mistakes', `${name}.txtar`);

/** Generates the code of a case, and returns the diagnostics and the folder of the code. */
async function generate(name: string): Promise<{ readonly diagnostics: string; readonly out: string }> {
  const schemas = inputOf(name);
  const out = join(scratch, name, 'out');
  const check = name === onlyCompared;
  const { diagnostics } = createGenerator({ schemas, out, gate: await openGate({ schemas }), check }).run();
  return { diagnostics: diagnostics.map((each) => `${printDiagnostic(each)}\n`).join(''), out };
}

/** Returns the contents of a folder's files by path. The folder may be missing. */
const readFolder = (folder: string): ReadonlyMap<string, string> =>
  existsSync(folder) ? readFiles(folder) : new Map();

function expectedDiagnostics(name: string): string {
  if (mistakes.includes(name)) return readArchive(readFileSync(archiveOf(name), 'utf8')).comment;
  return readFileSync(join(root, name, 'diagnostics.txt'), 'utf8');
}

/** Updates the diagnostics of a case, and its generated files. */
function update(name: string, diagnostics: string, out: string): void {
  if (mistakes.includes(name)) {
    const { files } = readArchive(readFileSync(archiveOf(name), 'utf8'));
    writeFileSync(archiveOf(name), printArchive({ comment: diagnostics, files }));
    return;
  }
  const expected = join(root, name, 'expected');
  writeFileSync(join(root, name, 'diagnostics.txt'), diagnostics);
  const kept = name === 'native' ? readFolder(out) : readFolder(expected);
  rmSync(expected, { recursive: true, force: true });
  for (const path of kept.keys()) if (existsSync(join(out, path))) cpSync(join(out, path), join(expected, path));
}

describe.each([...mistakes, ...folders])('%s', (name) => {
  test('prints the expected diagnostics and files', async () => {
    const { diagnostics, out } = await generate(name);
    if (process.env.UPDATE_GOLDEN === '1') update(name, diagnostics, out);
    expect(diagnostics).toBe(expectedDiagnostics(name));
    const expected = readFolder(join(root, name, 'expected'));
    const generated = readFolder(out);
    for (const [path, content] of expected) expect(generated.get(path), path).toBe(content);
    if (folders.includes(name)) expect(expected.has('manifest.json')).toBe(generated.size > 0);
    if (name === 'native') expect([...expected.keys()]).toEqual([...generated.keys()]);
  });

  test.skipIf(name === onlyCompared)('prints the same diagnostics in `check`', async () => {
    const schemas = inputOf(name);
    const lines: string[] = [];
    const stream = { isTTY: false, write: () => true };
    runCheck(
      { schemas, gate: await openGate({ schemas }) },
      { out: (line) => lines.push(`${line}\n`), error: () => {}, progress: stream },
    );
    expect(lines.join('')).toBe(expectedDiagnostics(name));
  });
});

test.each(mistakes)('%s has a diagnostic of its code', (name) => {
  expect(expectedDiagnostics(name)).toContain(` ${name.slice(0, 'KF0000'.length)} `);
});

test('has a case for every code', () => {
  const told = mistakes.map(expectedDiagnostics).join('');
  // This code is about parts of a project, which are not in a folder of definitions.
  const others = ['KF4045'];
  expect(Object.keys(codes).filter((code) => !told.includes(` ${code} `))).toEqual(others);
});
