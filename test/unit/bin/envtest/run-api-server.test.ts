import { X509Certificate } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apiServerFlags } from '../../../../bin/envtest/api-server-flags.js';
import { readApiServer } from '../../../../bin/envtest/run-api-server.js';
import { testFolder } from '../../../support/scratch-folder.js';

async function run(args: readonly string[], environment: Record<string, string | undefined> = {}) {
  const printed: string[] = [];
  const warned: string[] = [];
  const next = await readApiServer(args, {
    print: (text) => printed.push(text),
    warn: (line) => warned.push(line),
    environment,
  });
  return { next, printed: printed.join(''), warned, environment };
}

describe('help', () => {
  it('has each flag of Kubernetes 1.27 at the beginning of a line, and succeeds', async () => {
    const { next, printed } = await run(['--help']);
    expect(next).toEqual({ exit: 0 });
    const has = (name: string): boolean => new RegExp(`^\\s*--${name}\\b`, 'm').test(printed);
    const names = apiServerFlags.flatMap(({ flags }) => flags.map(({ name }) => name));
    // These two have a short form before them.
    expect(names.filter((name) => !has(name))).toEqual(['v', 'help']);
    expect(has('insecure-port')).toBe(false);
  });

  it('prints the release', async () =>
    expect(await run(['--version'])).toMatchObject({
      next: { exit: 0 },
      printed: expect.stringMatching(/^Kubernetes v1\.27\.0\+kindforge\.\d+\.\d+\.\d+\n$/),
    }));
});

describe('a start', () => {
  it('has the settings for tests, which the environment may change', async () => {
    const { next, environment } = await run(['-v=1'], { KINDFORGE_CONTROLLERS: '*' });
    expect(next).toHaveProperty('serve');
    expect(environment).toEqual({
      KINDFORGE_CONTROLLERS: '*',
      KINDFORGE_HTTP_PORT: '0',
      KINDFORGE_NAMING: 'kubernetes',
      KINDFORGE_PROJECT: 'none',
      KINDFORGE_QUIET: 'true',
      KINDFORGE_STORAGE: 'memory',
    });
  });

  it('ends at unknown flags, and at refused ones', async () => {
    expect(await run(['--nonsense'])).toMatchObject({ next: { exit: 1 }, warned: ['Error: unknown flag: --nonsense'] });
    const refused = await run(['--egress-selector-config-file=a']);
    expect(refused).toMatchObject({ next: { exit: 1 }, warned: [expect.stringContaining('never through a proxy')] });
  });

  it('accepts the existing gates and plugins', async () => {
    const gates = '--feature-gates=WatchList=true,AllAlpha=true,FromTheFuture=true';
    const plugins = '--disable-admission-plugins=ServiceAccount,FromTheFuture,SystemPriorities';
    const { next, warned } = await run([gates, plugins]);
    expect(next).toEqual({
      serve: expect.arrayContaining([
        '--feature-gates=WatchList=true,AllAlpha=true',
        '--disable-admission-plugins=ServiceAccount',
      ]),
    });
    expect(warned).toHaveLength(3);
    const only = await run(['--admission-control=NamespaceLifecycle,AlwaysAdmit']);
    const serve = 'serve' in only.next ? only.next.serve.join(' ') : '';
    expect(serve).toContain('--enable-admission-plugins=NamespaceLifecycle,AlwaysAdmit');
    expect(serve).toMatch(/--disable-admission-plugins=LimitRanger,\S*ResourceQuota/);
    expect(serve).not.toMatch(/--disable-admission-plugins=\S*NamespaceLifecycle/);
  });

  it('accepts the gates of the emulated release', async () => {
    const gates = '--feature-gates=DRAAdminAccess=true,ServerSideApply=true';
    const served = async (args: readonly string[], environment = {}) => {
      const { next, warned } = await run([gates, ...args], environment);
      const serve = 'serve' in next ? next.serve : [];
      return [...serve.filter((arg) => /^--(feature-gates|emulated-version)=/.test(arg)), ...warned];
    };
    const left = (gate: string) => `kube-apiserver: --feature-gates ${gate}=true is left out: no such gate is known`;
    expect(await served([])).toEqual(['--feature-gates=ServerSideApply=true', left('DRAAdminAccess')]);
    expect(await served(['--emulated-version=kube=1.34'])).toEqual([
      '--feature-gates=DRAAdminAccess=true',
      '--emulated-version=1.34',
      left('ServerSideApply'),
    ]);
    expect(await served([], { KINDFORGE_EMULATED_VERSION: 'latest' })).toEqual([
      '--feature-gates=DRAAdminAccess=true',
      left('ServerSideApply'),
    ]);
    expect(await served(['--emulated-version=2.0'])).toContainEqual(
      expect.stringMatching(/^kube-apiserver: --emulated-version 2\.0 is left out: the releases are 1\.27, /),
    );
  });

  it('makes the certificate that the folder lacks', async () => {
    const folder = testFolder();
    const certDir = join(folder, 'new');
    await run([`--cert-dir=${certDir}`, '--bind-address=127.0.0.9', '--service-cluster-ip-range=10.9.0.0/24']);
    const [own = '', authority = ''] = readFileSync(join(certDir, 'apiserver.crt'), 'utf8').split(/(?<=END.*\n)/);
    const certificate = new X509Certificate(own);
    expect(certificate.verify(new X509Certificate(authority).publicKey)).toBe(true);
    for (const address of ['127.0.0.9', '10.9.0.1']) expect(certificate.checkIP(address)).toBe(address);
    expect(statSync(join(certDir, 'apiserver.key')).mode & 0o777).toBe(0o600);
  });
});
