import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { entryPoints } from '../../../../bin/envtest/write-entry-points.js';

const folder = mkdtempSync(join(tmpdir(), "kindforge it's "));
const other = join(folder, 'other');
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text, { mode: 0o755 });
  return join(folder, name);
};

/** A program that prints how it was called. */
const teller = '#!/bin/sh\nprintf "%s\\n" "$0" "controllers=$KINDFORGE_CONTROLLERS" "$@"\n';

beforeAll(() => {
  mkdirSync(other);
  const parts = {
    node: write("no de'", teller),
    command: write('the command.cjs', ''),
    etcd: write('etcd.cjs', ''),
    controllers: 'none',
  };
  for (const [name, text] of entryPoints(parts)) {
    for (const place of [folder, other]) writeFileSync(join(place, name), text, { mode: 0o755 });
  }
});

const run = (name: string, args: readonly string[], env: Record<string, string> = {}): readonly string[] => {
  const { PATH = '' } = process.env;
  return execFileSync(join(folder, name), args, { env: { PATH, ...env }, encoding: 'utf8' })
    .trim()
    .split('\n');
};

describe('the scripts', () => {
  it('pass their arguments on unchanged', () => {
    const args = ['--a=b c', '', "--d='"];
    const node = join(folder, "no de'");
    const command = [node, 'controllers=none', join(folder, 'the command.cjs'), 'kube-apiserver'];
    expect(run('kube-apiserver', args)).toEqual([...command, ...args]);
    const etcd = [node, 'controllers=', join(folder, 'etcd.cjs')];
    expect(run('etcd', ['--data-dir', 'a b'])).toEqual([...etcd, '--data-dir', 'a b']);
  });

  it('leave controllers to the environment if it names some, or none', () => {
    for (const some of ['*', '']) {
      expect(run('kube-apiserver', [], { KINDFORGE_CONTROLLERS: some })).toContain(`controllers=${some}`);
    }
  });

  it('answer for help and release by themselves', () => {
    expect(run('kube-apiserver', ['--help']).join('\n')).toMatch(/^ *--etcd-servers strings /m);
    expect(run('kube-apiserver', ['--version'])).toEqual([expect.stringMatching(/^Kubernetes v1\.27\.0/)]);
    expect(run('etcd', ['--help']).join('\n')).toMatch(/^ *--listen-client-urls /m);
    expect(run('etcd', ['--version'])).toEqual(['etcd Version: 3.5.0']);
  });

  it('report that the command has moved', () => {
    const place = join(folder, 'moved');
    mkdirSync(place);
    const parts = { node: process.execPath, command: '/nowhere/a', etcd: '/nowhere/b', controllers: 'none' };
    for (const [name, text] of entryPoints(parts)) writeFileSync(join(place, name), text, { mode: 0o755 });
    for (const name of ['kube-apiserver', 'etcd']) {
      const message = `${name}: Kindforge has moved; run kindforge envtest-assets again\n`;
      expect(spawnSync(join(place, name), [], { encoding: 'utf8' })).toMatchObject({ status: 1, stderr: message });
    }
  });

  it('call the first kubectl in PATH that is not one of these scripts', () => {
    const real = join(folder, 'real');
    mkdirSync(real);
    writeFileSync(join(real, 'kubectl'), teller, { mode: 0o755 });
    const path = ['/nowhere', folder, other, real].join(':');
    expect(run('kubectl', ['get', 'a b'], { PATH: path })).toEqual([
      join(real, 'kubectl'),
      'controllers=',
      'get',
      'a b',
    ]);
    const none = spawnSync(join(folder, 'kubectl'), [], { env: { PATH: `${folder}:${other}` }, encoding: 'utf8' });
    expect(none).toMatchObject({ status: 127, stderr: expect.stringContaining('install it') });
  });
});
