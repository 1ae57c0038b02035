import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { deprecationNotices, fillIn, fillInProject, withSources } from '../../../../bin/flags/fill-in.js';
import { addFlags, type FlagGroup } from '../../../../bin/flags/flag.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

const groups: readonly FlagGroup[] = [
  {
    heading: 'All',
    stability: 'beta',
    since: '0.1',
    flags: [
      { name: 'config', value: '<file>', about: 'file' },
      { name: 'http-port', value: '<port>', about: 'port', byDefault: '80' },
      { name: 'key-file', value: '<file>', about: 'key', repeatable: true },
      { name: 'feature-gates', value: '<gates>', about: 'gates', byDefault: '' },
      { name: 'quiet', about: 'quiet' },
      {
        name: 'old-port',
        value: '<port>',
        about: 'port',
        stability: 'stable',
        deprecated: { since: '0.2', instead: 'use --http-port' },
      },
    ],
  },
];

const header = 'apiVersion: kindforge.dev/v1\nkind: ServerConfiguration\n';

function fileWith(text: string): string {
  const file = join(folder, 'kindforge.yaml');
  writeFileSync(file, text);
  return file;
}

function read(args: readonly string[], environment: Record<string, string> = {}) {
  const command = new Command();
  addFlags(command, groups);
  command.parse(args, { from: 'user' });
  const sources = fillIn(command, groups, environment);
  return { command, sources, values: command.opts() };
}

const inFile = (text: string, args: readonly string[] = [], environment: Record<string, string> = {}) =>
  read(['--config', fileWith(header + text), ...args], environment).values;

describe('a flag', () => {
  it('is read from the command line, then the environment, then the file, and otherwise has its default', () => {
    const environment = { KINDFORGE_HTTP_PORT: '82' };
    expect(inFile('http-port: 81', ['--http-port', '83'], environment).httpPort).toBe('83');
    expect(inFile('http-port: 81', [], environment).httpPort).toBe('82');
    expect(inFile('http-port: 81').httpPort).toBe('81');
    expect(inFile('').httpPort).toBe('80');
  });

  it('has the value of the command line even if that is the default', () =>
    expect(read(['--http-port', '80'], { KINDFORGE_HTTP_PORT: '82' }).values.httpPort).toBe('80'));

  it.each<[string, object]>([
    ['quiet: true', { quiet: true }],
    ['quiet: false', { quiet: false }],
    ['key-file: a', { keyFile: ['a'] }],
    ['key-file: [a, b]', { keyFile: ['a', 'b'] }],
    ['feature-gates: A=true,B=false', { featureGates: 'A=true,B=false' }],
    ['feature-gates: { A: true, B: false }', { featureGates: 'A=true,B=false' }],
    ['feature-gates: [A=true, B=false]', { featureGates: 'A=true,B=false' }],
    ['http-port: "81"', { httpPort: '81' }],
  ])('can be written as %s', (text, expected) => expect(inFile(text)).toMatchObject(expected));

  it.each<[Record<string, string>, object]>([
    [{ KINDFORGE_QUIET: 'true' }, { quiet: true }],
    [{ KINDFORGE_KEY_FILE: 'a,b' }, { keyFile: ['a', 'b'] }],
    [{ KINDFORGE_FEATURE_GATES: 'A=true,B=false' }, { featureGates: 'A=true,B=false' }],
  ])('can be set by %j', (environment, expected) => expect(read([], environment).values).toMatchObject(expected));

  it('the file may be named by a variable too', () =>
    expect(read([], { KINDFORGE_CONFIG: fileWith(`${header}http-port: 81`) }).values.httpPort).toBe('81'));
});

describe('a value that cannot be used', () => {
  it.each([
    [`${header}http-prt: 81`, 'kindforge.yaml: http-prt is not a flag; did you mean `http-port`?'],
    [`${header}config: other.yaml`, 'kindforge.yaml: config is not a flag; '],
    [
      `${header}__proto__: 1`,
      'kindforge.yaml: __proto__ is not a flag; its keys are the flags of kindforge serve --help',
    ],
    [`${header}quiet: 1`, 'kindforge.yaml: quiet is 1; use true or false'],
    [`${header}http-port: null`, 'kindforge.yaml: http-port is null; use text, a number, or a list of these'],
    [`${header}http-port: [[1]]`, 'kindforge.yaml: http-port is [[1]]; use text, a number, or a list of these'],
    [`${header}http-port: {a: [1]}`, 'kindforge.yaml: http-port is {"a":[1]}; use text, a number, or a list of these'],
    [`${header}http-port: 1\nhttp-port: 2`, 'kindforge.yaml:4:1: '],
    [`${header}a: [`, 'kindforge.yaml:'],
    ['http-port: 81', 'kindforge.yaml: begin it with apiVersion: kindforge.dev/v1 and kind: ServerConfiguration'],
    ['[1]', 'kindforge.yaml: must be a mapping of flags to values'],
    ['', 'kindforge.yaml'],
  ])('%j is refused', (text, message) => expect(() => read(['--config', fileWith(text)])).toThrow(message));

  it('may be a file that does not exist, or a variable of a switch with another word', () => {
    expect(() => read(['--config', join(folder, 'none')])).toThrow('cannot be read');
    expect(() => read([], { KINDFORGE_QUIET: 'yes' })).toThrow('KINDFORGE_QUIET is "yes"; use true or false');
  });
});

it('a mistake names where its flag was set, unless that was the command line', () => {
  const { sources } = read(['--key-file', 'a'], { KINDFORGE_HTTP_PORT: 'x' });
  expect(withSources('--http-port x is not a port', sources)).toBe(
    '--http-port x is not a port (--http-port is set by KINDFORGE_HTTP_PORT)',
  );
  expect(withSources('--key-file a is no key', sources)).toBe('--key-file a is no key');
});

it('a deprecated flag is reported if it is set, and not otherwise', () => {
  const notice = '--old-port is deprecated since release 0.2; use --http-port';
  expect(deprecationNotices(read([]).command, groups)).toEqual([]);
  expect(deprecationNotices(read(['--old-port', '1']).command, groups)).toEqual([notice]);
  expect(deprecationNotices(read([], { KINDFORGE_OLD_PORT: '1' }).command, groups)).toEqual([notice]);
});

describe('a flag of a project', () => {
  const settings = { 'http-port': 84, 'key-file': ['a', 'b'], quiet: true, unknown: 1 };
  const inProject = (args: readonly string[]) => {
    const { command, sources } = read(args);
    const all = fillInProject(command, groups, { file: 'kindforge.config.ts', settings }, sources);
    return { values: command.opts(), message: withSources('--http-port is wrong', all) };
  };

  it('is used if nothing else sets it', () => {
    expect(inProject([]).values).toMatchObject({ httpPort: '84', keyFile: ['a', 'b'], quiet: true });
    expect(inProject(['--http-port', '83', '--key-file', 'c']).values).toMatchObject({
      httpPort: '83',
      keyFile: ['c'],
    });
    const file = fileWith(`${header}http-port: 81`);
    expect(inProject(['--config', file]).values).toMatchObject({ httpPort: '81', quiet: true });
  });

  it('is reported with the configuration that sets it', () =>
    expect(inProject([]).message).toBe('--http-port is wrong (--http-port is set by kindforge.config.ts)'));

  it('has another default, which the configuration does not set', () => {
    const of = (args: readonly string[], settings: Readonly<Record<string, unknown>>) => {
      const { command, sources } = read(args);
      const project = { file: 'kindforge.config.ts', settings, defaults: { 'http-port': '85' } };
      const all = fillInProject(command, groups, project, sources);
      return [command.opts().httpPort, withSources('--http-port is wrong', all)];
    };
    expect(of([], {})).toEqual(['85', '--http-port is wrong']);
    expect(of(['--http-port', '83'], {})).toEqual(['83', '--http-port is wrong']);
    expect(of([], { 'http-port': 84 })).toEqual([
      '84',
      '--http-port is wrong (--http-port is set by kindforge.config.ts)',
    ]);
  });
});
