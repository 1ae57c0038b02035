import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addServe } from '../../../bin/commands/serve.js';
import { fillIn } from '../../../bin/flags/fill-in.js';
import { type ServeFlags, serveFlagGroups } from '../../../bin/flags/serve/index.js';
import { readServeOptions, type ServeOptions } from '../../../bin/flags/serve-options.js';
import { checkOptions } from '../../../server/check-options.js';
import { testFolder } from '../../support/scratch-folder.js';
import { root } from '../../support/shared.js';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const deploy = (name: string): string => read(`examples/deploy/${name}`);

const manifest: {
  readonly scripts: Record<string, string>;
  readonly bin: { readonly kindforge: string };
  readonly peerDependencies: Record<string, string>;
} = JSON.parse(read('package.json'));

/** Returns the options of `kindforge` with arguments. Throws if one is wrong. */
function optionsOf(...args: string[]): ServeOptions {
  const program = new Command();
  addServe(program);
  const [serve] = program.commands;
  if (!serve || args[0] !== 'serve') throw new Error('no such command');
  serve.exitOverride().parseOptions(args.slice(1));
  fillIn(serve, serveFlagGroups, {});
  const options = readServeOptions(serve.opts<ServeFlags>());
  checkOptions(options);
  return options;
}

/** Instructions of a Dockerfile, each with its arguments, in stages. */
const stages = deploy('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split(/^(?=FROM )/m)
  .filter((stage) => stage !== '')
  .map((stage) =>
    stage
      .trim()
      .split(/\n+/)
      .map((line): readonly [string, string] => [line.split(' ', 1)[0] ?? '', line.replace(/^\S+ +/, '')]),
  );
const argumentsOf = (stage: number, name: string): readonly string[] =>
  (stages[stage] ?? []).filter(([instruction]) => instruction === name).map(([, rest]) => rest);

describe('the Dockerfile', () => {
  const copied = argumentsOf(0, 'COPY').flatMap((text) => text.split(/\s+/).slice(0, -1));

  it('copies existing files, and everything that the build needs', () => {
    expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    const { include }: { include: string[] } = JSON.parse(read('tsconfig.build.json'));
    const isCopied = (path: string): boolean => copied.includes(path) || copied.includes(path.split('/')[0] ?? '');
    expect([...include, 'bin', 'schemas'].filter((path) => !isCopied(path))).toEqual([]);
  });

  it('gets only the files that it copies', () => {
    const lines = deploy('Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines).toEqual(['*', ...copied.map((path) => `!${path}`)]);
  });

  it('copies the files of a package from the build, and runs its command as an ordinary user', () => {
    const [install, build, peers = '', ...more] = argumentsOf(0, 'RUN');
    expect([install, build, ...more]).toEqual(['npm ci', 'npm run build && npm prune --omit=dev']);
    expect(manifest.scripts).toHaveProperty('build');
    // Storage in etcd and others, and traces, need packages that users install elsewhere.
    const command = /^npm install --no-save \$\((.*)\)$/.exec(peers)?.[1] ?? '';
    expect(execFileSync('bash', ['-c', command], { cwd: root, encoding: 'utf8' }).trim().split(' ')).toEqual(
      Object.entries(manifest.peerDependencies).map(([name, range]) => `${name}@${range}`),
    );
    const taken = argumentsOf(1, 'COPY').map((text) => /^--from=build \/build\/(\S+) (\S+)$/.exec(text)?.[1]);
    expect(taken).toEqual(['package.json', 'node_modules', 'schemas', 'dist']);
    const entry: unknown = JSON.parse(argumentsOf(1, 'ENTRYPOINT')[0] ?? '');
    expect(entry).toEqual(['node', join('/opt/kindforge', manifest.bin.kindforge)]);
    expect(argumentsOf(1, 'WORKDIR')).toEqual(['/opt/kindforge']);
    expect(argumentsOf(1, 'USER')).toEqual(['node']);
  });

  it('starts a server with existing flags, on its own volume and port', () => {
    const options = optionsOf(...JSON.parse(argumentsOf(1, 'CMD')[0] ?? ''));
    expect(options).toMatchObject({ storage: { lmdb: argumentsOf(1, 'VOLUME')[0] }, tls: { host: '0.0.0.0' } });
    expect(argumentsOf(1, 'EXPOSE')).toEqual([String(options.tls?.port)]);
  });

  it("checks health at the server's address", () => {
    const [command = ''] = argumentsOf(1, 'HEALTHCHECK').map((text) => text.replace(/^.* CMD /, ''));
    const [program, flag, code]: string[] = JSON.parse(command);
    expect([program, flag]).toEqual(['node', '-e']);
    expect(() => new Script(code ?? '')).not.toThrow();
    expect(code).toContain(`http://127.0.0.1:8080/livez`);
    expect(optionsOf('serve').http).toMatchObject({ host: '127.0.0.1', port: 8080 });
  });
});

describe('the configuration', () => {
  it('is for a server that other machines can reach', () =>
    expect(optionsOf('serve', '--config', join(root, 'examples/deploy/kindforge.yaml'))).toMatchObject({
      tls: { host: '0.0.0.0', names: ['api.example.com'] },
      allowedHosts: ['api.example.com'],
      storage: { lmdb: '/var/lib/kindforge' },
      shutdownDelayMs: 10_000,
    }));
});

describe('the units', () => {
  const settingsOf = (name: string): ReadonlyMap<string, string> =>
    new Map([...deploy(name).matchAll(/^(\w+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]));

  it('run the command of a package, with an existing configuration', () => {
    const [node, program, ...args] = (settingsOf('kindforge.service').get('ExecStart') ?? '').split(' ');
    expect([node, program]).toEqual(['/usr/bin/node', join('/opt/kindforge', manifest.bin.kindforge)]);
    const here = args.map((arg) => arg.replace('/etc/kindforge/', `${join(root, 'examples/deploy')}/`));
    expect(optionsOf(...here)).toHaveProperty('naming', 'kubernetes');
  });

  it('are one service and its socket for TLS', () => {
    const service = settingsOf('kindforge.service');
    expect(Object.fromEntries(service)).toMatchObject({ Type: 'notify', NotifyAccess: 'all', User: 'kindforge' });
    expect(settingsOf('kindforge.socket').get('FileDescriptorName')).toBe('https');
  });

  const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0;
  it.skipIf(!hasAnalyzer)('are accepted by systemd (skipped without systemd-analyze)', () => {
    const folder = testFolder();
    const files = ['kindforge.service', 'kindforge.socket'].map((name) => {
      writeFileSync(join(folder, name), deploy(name).replace('/usr/bin/node', process.execPath));
      return join(folder, name);
    });
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...files], { encoding: 'utf8' });
    // Systemd also reads the machine's own units.
    expect(stderr.split('\n').filter((line) => line.includes('kindforge'))).toEqual([]);
    expect(status).toBe(0);
  });
});
