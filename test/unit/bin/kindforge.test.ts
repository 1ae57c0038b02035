import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packageRoot } from '../../../generator/check/package-root.js';
import { builtCommand } from '../../support/built-command.js';
import { scratchFolder } from '../../support/scratch-folder.js';

const root = packageRoot();
const scratch = scratchFolder();

const runAs = (program: readonly string[], args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...program, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
};
const run = (...args: string[]) => runAs([builtCommand()], args);
const golden = (name: string): string => join(root, 'test/golden', name, 'input');

describe('exit codes', () => {
  test('are 0 for a correct definition', () => {
    expect(run('check', '--schemas', golden('native'))).toMatchObject({ status: 0, stdout: '' });
    const out = join(scratch, 'native');
    expect(run('generate', '--schemas', golden('native'), '--out', out).status).toBe(0);
    expect(run('generate', '--schemas', golden('native'), '--out', out, '--check').status).toBe(0);
  });

  test('are the same from the sources', () => {
    const sources = ['--import', 'tsx', join(root, 'bin/kindforge.ts')];
    for (const args of [['--help'], ['nonsense'], ['check', '--schemas', golden('many-mistakes')]]) {
      expect(runAs(sources, args)).toEqual(run(...args));
    }
  });

  test('are 0 for a question about the command itself', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(run('--version')).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(run('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Usage: kindforge') });
  });

  test('are 1 for mistakes and for differences', () => {
    const { status, stdout } = run('check', '--schemas', golden('many-mistakes'));
    expect(status).toBe(1);
    expect(stdout).toContain('group/widgets.yaml:18:26 KF4006 ');
    expect(run('generate', '--schemas', golden('native'), '--out', join(scratch, 'none'), '--check').status).toBe(1);
  });

  test.each([
    ['nonsense'],
    ['check', '--nonsense'],
    ['generate', '--schemas'],
    ['generate', '--check', '--watch'],
    ['storage', 'verify'],
    ['import', 'crds'],
    ['import', 'openapi'],
  ])('are 2 for %s %s %s', (...args) => {
    expect(run(...args).status).toBe(2);
  });

  test.each([
    ['--help'],
    ['generate', '--help'],
    ['check', '--help'],
    ['storage', 'restore', '--help'],
    ['import', 'openapi', '--help'],
    ['import', 'crds', '--help'],
  ])('are in the help, which is not a mistake: %s %s', (...args) => {
    const { status, stdout } = run(...args);
    expect(status).toBe(0);
    if (args.length > 1) expect(stdout).toMatch(/Exit codes:\n {2}0 {2}.*\n {2}1 {2}.*\n {2}2 {2}/);
  });
});
