/** The script `npm run generate`: brings `generated/` and the types of the definition format up to date. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { areFormatTypesCurrent } from './format-types.js';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** All inputs of the output, and the output. */
const PARTS = ['generator', 'runtime', 'schemas', 'generated', 'package-lock.json'];

/** The fingerprint of the last run that left everything up to date. */
const STATE = join(root, '.kindforge/generate.sha256');

/** Returns one hash of all these files. It takes a tenth of a second; a generation takes several. */
function fingerprint(): string {
  const hash = createHash('sha256');
  for (const part of PARTS) {
    for (const path of filesOf(join(root, part))) hash.update(`${path}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

function filesOf(path: string): readonly string[] {
  if (path.endsWith('.json')) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

function lastFingerprint(): string | undefined {
  try {
    return readFileSync(STATE, 'utf8');
  } catch {
    return undefined;
  }
}

/** Checks the types of the format first, because the generator is compiled against them. */
async function generate(flags: readonly string[]): Promise<void> {
  if (!areFormatTypesCurrent()) throw new Error('schemas/meta has changed: run `npm run generate:format` first');
  const { runGenerate } = await import('./run-generate.js');
  const [schemas, out] = ['schemas', 'generated'].map((folder) => relative('', join(root, folder)));
  const [check, watch] = [flags.includes('--check'), flags.includes('--watch')];
  const ending = await runGenerate({ schemas: schemas ?? '', out: out ?? '', check, watch, reference: false });
  process.exitCode = ending === 'done' ? 0 : 1;
  if (ending === 'done') keepFingerprint();
}

/**
 * Returns whether all parts are as committed: CI has checked the output of every commit, so a new checkout needs no
 * generation.
 */
function areAsCommitted(): boolean {
  try {
    return execFileSync('git', ['status', '--porcelain', '--', ...PARTS], { cwd: root, stdio: 'pipe' }).length === 0;
  } catch {
    return false;
  }
}

function keepFingerprint(): void {
  mkdirSync(dirname(STATE), { recursive: true });
  writeFileSync(STATE, fingerprint());
}

const flags = process.argv.slice(2);
const last = lastFingerprint();
if (flags.length === 0 && last === undefined && areAsCommitted()) {
  process.stderr.write('generated/ is as committed\n');
  keepFingerprint();
} else if (!flags.includes('--watch') && fingerprint() === last) {
  process.stderr.write('generated/ is up to date\n');
} else await generate(flags);
