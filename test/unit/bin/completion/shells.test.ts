/** Real shells complete the commands and flags of the real program. */
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bashScript, fishScript, nodesOf, zshScript } from '../../../../bin/completion.js';
import { createProgram } from '../../../../bin/program.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'exit 0']).status === 0;

/** A typed line, offered words, and one word that is not offered. */
const typed: readonly (readonly [string, readonly string[], string])[] = [
  ['kindforge ', ['serve', 'generate', 'get', 'completion'], 'who-can'],
  ['kindforge se', ['serve'], 'generate'],
  ['kindforge access ', ['who-can', 'why', 'matrix', 'record'], 'serve'],
  ['kindforge serve --nam', ['--naming'], '--storage'],
  ['kindforge serve --naming ', ['platform', 'kubernetes'], 'serve'],
  ['kindforge get -o ', ['table', 'wide', 'yaml', 'json', 'name'], 'text'],
  ['kindforge access why -o j', ['json'], 'text'],
  ['kindforge completion ', ['bash', 'zsh', 'fish'], 'serve'],
];

describe('completion', () => {
  const nodes = nodesOf(createProgram());
  const folder = scratchFolder();
  const [bash, zsh, fish] = ['bash', 'zsh', 'fish'].map((name) => join(folder, name)) as [string, string, string];
  beforeAll(() => {
    writeFileSync(bash, bashScript('kindforge', nodes));
    writeFileSync(zsh, zshScript('kindforge', nodes));
    writeFileSync(fish, fishScript('kindforge', nodes));
  });

  it('has every command of the program, and every flag in the help', () => {
    const program = createProgram();
    const serve = program.commands.find((command) => command.name() === 'serve');
    expect(nodes[0]?.commands.map(({ name }) => name)).toEqual(program.commands.map((command) => command.name()));
    expect(nodes.find(({ path }) => path.join(' ') === 'serve')?.flags.flatMap(({ names }) => names)).toEqual(
      expect.arrayContaining(serve?.options.map(({ long }) => long) ?? ['absent']),
    );
  });

  it('completes paths for files', () => {
    const apply = nodes.find(({ path }) => path.join(' ') === 'apply');
    expect(apply?.flags.find(({ names }) => names.includes('--filename'))?.value).toBe('file');
    expect(apply?.flags.find(({ names }) => names.includes('--field-manager'))?.value).toBe('any');
  });

  it.each(typed)('of bash offers for "%s" %j and not %s', (line, wanted, unwanted) => {
    const offered = inBash(bash, line);
    expect(offered).toEqual(expect.arrayContaining([...wanted]));
    expect(offered).not.toContain(unwanted);
  });

  it('of bash splits --flag=value', () => expect(inBash(bash, 'kindforge serve --naming = k')).toEqual(['kubernetes']));

  it.skipIf(!has('fish')).each(typed)('of fish offers for "%s" %j and not %s', (line, wanted, unwanted) => {
    const script = `source ${fish}; complete -C ${JSON.stringify(line)}`;
    const out = execFileSync('fish', ['--no-config', '-c', script], { encoding: 'utf8' });
    const offered = out.split('\n').map((one) => one.split('\t')[0]);
    expect(offered).toEqual(expect.arrayContaining([...wanted]));
    expect(offered).not.toContain(unwanted);
  });

  it.skipIf(!has('zsh')).each(typed)('of zsh offers for "%s" %j and not %s', (line, wanted, unwanted) => {
    const offered = inZsh(zsh, line);
    expect(offered).toEqual(expect.arrayContaining([...wanted]));
    expect(offered).not.toContain(unwanted);
  });
});

/** Completes a line. Words are split like in bash. */
function inBash(script: string, line: string): string[] {
  const words = line.split(' ');
  const program = `source ${script}; COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
    _kindforge; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', program], { encoding: 'utf8' }).trim().split('\n');
}

/** Runs the function with the words of the line in zsh's form. Its own helpers print their arguments. */
function inZsh(script: string, line: string): string[] {
  const words = line.split(' ');
  const program = `
    compdef() { :; }; compset() { :; }; _files() { :; }; _message() { :; }
    compadd() { print -rl -- \${(P)2}; }
    _describe() { print -rl -- \${(P)\${@[-1]}%%:*}; }
    source ${script}
    words=(${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length}; PREFIX='${words.at(-1)}'
    _kindforge`;
  const out = execFileSync('zsh', ['-f', '-c', program], { encoding: 'utf8', timeout: 20_000 });
  // The shell itself leaves out words that do not begin with the typed text.
  return out.split('\n').filter((word) => word.startsWith(words.at(-1) ?? ''));
}
