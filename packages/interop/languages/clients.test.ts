/**
 * Runs programs in Go and Python that order a widget, change it, and follow it: the programs of `docs/go.md` and
 * `docs/python.md`.
 */
import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch-folder.js';
import type { ListeningServer } from '../../../test/support/serving.js';
import { root } from '../../../test/support/shared.js';
import { kubeconfigFor } from '../../../test/support/write-kubeconfig.js';
import { forms, startWithWidgets } from './servers.js';

const run = promisify(execFile);
const programs = join(root, 'examples/languages');
/** The Python of the system, which has the packages of the system, even if another one is on the path. */
const python = '/usr/bin/python3';
/** The folder that `client-go.sh` fills. */
const goPath = join(root, '.kindforge/client-go');

const hasPythonClient = spawnSync(python, ['-c', 'import kubernetes']).status === 0;
const hasGoClient = existsSync(join(goPath, 'src')) && spawnSync('go', ['version']).status === 0;

const seen = ['seen MODIFIED 2', 'seen MODIFIED 2', 'seen MODIFIED 2', 'seen DELETED 2'];
const before = ['created large 1', 'listed door', 'patched 2'];
const inPython = [...before, 'applied red', 'made 1', 'refused 422 spec.size', ...seen];
const inGo = [...before, 'applied [red]', 'made 1', 'refused spec.size', 'somebody else changed it first', ...seen];

const lines = (printed: { readonly stdout: string }): readonly string[] => printed.stdout.trimEnd().split('\n');

const built = scratchFolder();
beforeAll(() => {
  if (!hasGoClient) return;
  const env = { ...process.env, GOPATH: goPath, GO111MODULE: 'off', GOFLAGS: '', CGO_ENABLED: '0' };
  execFileSync('go', ['build', '-o', `${built}/`, './dynamic', './typed'], { cwd: join(programs, 'go'), env });
}, 300_000);

describe.each(forms)('widgets of a %s', (form) => {
  let running: ListeningServer;
  const kubeconfig = join(built, `${form}.yaml`);
  beforeAll(async () => {
    running = await startWithWidgets(form);
    writeFileSync(kubeconfig, kubeconfigFor(running.url));
  });
  afterAll(() => running.stop());

  it.skipIf(!hasPythonClient)('are ordered in Python (skipped if python3-kubernetes is not installed)', async () => {
    expect(lines(await run(python, ['-B', join(programs, 'widgets.py'), kubeconfig]))).toEqual(inPython);
  });

  it.skipIf(!hasGoClient).each(['dynamic', 'typed'])(
    'are ordered in Go, %s (skipped unless client-go.sh has fetched client-go)',
    async (program) => {
      expect(lines(await run(join(built, program), [kubeconfig]))).toEqual(inGo);
    },
  );
});
