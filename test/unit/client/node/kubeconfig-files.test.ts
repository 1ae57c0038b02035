import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  kubeconfigPaths,
  providerConfig,
  readKubeconfigs,
  writeProviderConfig,
} from '../../../../client/node/kubeconfig-files.js';
import { filesIn, scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

const write = (path: string, config: object): string => filesIn(folder)(path, JSON.stringify(config));

describe('kubeconfig files', () => {
  it('are the named one, the ones in the environment, or the user’s', () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('KUBECONFIG', ['a', '', 'b'].join(delimiter));
    expect(kubeconfigPaths('c')).toEqual(['c']);
    expect(kubeconfigPaths()).toEqual(['a', 'b']);
    vi.stubEnv('KUBECONFIG', '');
    expect(kubeconfigPaths()[0]).toMatch(/\.kube.config$/);
  });

  it('are merged, the first one wins, with paths relative to each', () => {
    const exec = { command: './login', args: ['./x'] };
    const one = write('one/config', {
      users: [{ name: 'u', user: { tokenFile: 'token', exec } }],
      clusters: [{ name: 'c', cluster: { server: 'a', 'certificate-authority': '/ca.pem' } }],
    });
    const two = write('two/config', {
      'current-context': 'here',
      users: [
        { name: 'u', user: { token: 'other' } },
        { name: 'v', user: { exec: { command: 'login' } } },
      ],
    });
    const files = readKubeconfigs([one, join(folder, 'missing'), two]);
    expect(files.config).toMatchObject({
      'current-context': 'here',
      users: [
        { user: { tokenFile: join(folder, 'one/token'), exec: { command: join(folder, 'one/login'), args: ['./x'] } } },
        { user: { token: 'other' } },
        { user: { exec: { command: 'login' } } },
      ],
      clusters: [{ cluster: { 'certificate-authority': '/ca.pem' } }],
    });
    expect(files.fileOf('v')).toBe(two);
  });

  it('that are missing, or not YAML, are named', () => {
    const missing = [join(folder, 'missing'), join(folder, 'gone')];
    expect(() => readKubeconfigs(missing)).toThrow(`no kubeconfig at ${missing.join(', ')}; name one`);
    const broken = join(folder, 'broken');
    writeFileSync(broken, 'users: [');
    expect(() => readKubeconfigs([broken])).toThrow(`the kubeconfig ${broken} is not YAML: `);
  });

  it('keep renewed tokens, behind links too, and only the owner can read them', () => {
    const config = { name: 'oidc', config: { 'id-token': 'old', 'client-id': 'x' } };
    const path = write('kept/config', { users: [{ name: 'u', user: { 'auth-provider': config } }] });
    chmodSync(path, 0o644);
    symlinkSync(path, join(folder, 'link'));
    writeProviderConfig(join(folder, 'link'), 'u', { 'id-token': 'new', 'refresh-token': 'r' });
    expect(providerConfig(path, 'u')).toEqual({ 'id-token': 'new', 'client-id': 'x', 'refresh-token': 'r' });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = readFileSync(path, 'utf8');
    writeProviderConfig(path, 'nobody', { 'id-token': 'newer' });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('keep comments and other content when a token is renewed', () => {
    const text = `# of the team
users:
  - name: "u" # me
    user: &me
      auth-provider:
        name: oidc
        config:
          # renewed each hour
          id-token: old
          client-id: 'x'
  - name: alias
    user: *me
extensions: {a: ${'long '.repeat(40)}}
`;
    const path = join(folder, 'commented');
    writeFileSync(path, text);
    writeProviderConfig(path, 'u', { 'id-token': 'new' });
    expect(readFileSync(path, 'utf8')).toBe(
      text
        .replace('old', 'new')
        .replace(/\{(a.*)\}/, '{ $1 }')
        .replace(/ +\}/, ' }'),
    );
    writeProviderConfig(path, 'alias', { 'id-token': 'newer' });
    expect(providerConfig(path, 'u')).toEqual({ 'id-token': 'newer', 'client-id': 'x' });
  });
});
