/**
 * Plays the small cases beside the checkout against the built package. `known-cases.json` lists the cases that still
 * fail, each with its reason. The list may only shrink: a failing case that is not on it fails the test, and so does a
 * listed case that passes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildPackage, linkModules } from '../support/package-build.js';
import { root, shared } from '../support/shared.js';

interface Played {
  readonly id: string;
  readonly title: string;
  readonly results: readonly { readonly what: string; readonly faults: readonly string[] }[];
}

const runner = shared('cases', 'run.mjs');
const known: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(root, 'test/conformance/known-cases.json'), 'utf8'),
);

/** Many cases start servers or type-check code, one after the other. */
const patience = 1_800_000;

describe.skipIf(!existsSync(runner))('small cases (skipped if they are not beside the checkout)', () => {
  let project: string;
  beforeAll(() => {
    // Outputs contain this name, and cases look for hexadecimal numbers in outputs. A random name might look like one.
    project = join(tmpdir(), `kindforge-cases-${process.pid}`);
    linkModules(project);
    buildPackage(project);
  }, patience);
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it('pass, except the known failures', { timeout: patience }, async () => {
    const played = await playUntilPortsAreFree(project);
    const wrong = played.filter(({ results }) => results.some(({ faults }) => faults.length > 0));
    expect(played.length).toBeGreaterThan(0);
    expect(wrong.filter(({ id }) => known[id] === undefined).map(faultsOf)).toEqual([]);
    const ids = wrong.map(({ id }) => id);
    expect(Object.keys(known).filter((id) => !ids.includes(id))).toEqual([]);
  });
});

/** Plays cases. Plays a case again if its port was taken, because the runner chooses ports at random. */
async function playUntilPortsAreFree(project: string): Promise<readonly Played[]> {
  const played = await play(project, []);
  const lost = played.filter(hadNoPort).map(({ id }) => id);
  if (lost.length === 0) return played;
  const again = await play(project, caseFiles(lost));
  return [...played.filter(({ id }) => !lost.includes(id)), ...again];
}

const hadNoPort = ({ results }: Played): boolean =>
  results.some(({ faults }) => faults.some((fault) => /does not start: [\s\S]*port \d+ of \S+ is in use/.test(fault)));

const caseFiles = (ids: readonly string[]): readonly string[] =>
  readdirSync(shared('cases'))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => shared('cases', name))
    .filter((file) => ids.includes(/^id: (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''));

/** Plays the cases of these files in the project; all cases by default. */
async function play(project: string, files: readonly string[]): Promise<readonly Played[]> {
  const report = join(project, 'report.json');
  const running = spawn(process.execPath, [runner, '--json', report, ...files], {
    cwd: project,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await once(running, 'exit');
  return JSON.parse(readFileSync(report, 'utf8'));
}

const faultsOf = ({ id, title, results }: Played): string =>
  [`${id} ${title}`, ...results.flatMap(({ what, faults }) => (faults.length > 0 ? [what, ...faults] : []))].join('\n');
