import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { connectTo, openKubeconfig, writeLogin } from '../../../../bin/login/kubeconfig.js';
import { loadKubeconfig } from '../../../../client/node.js';
import { usualLoginFlags } from '../../../support/login.js';
import { filesIn, testFolder } from '../../../support/scratch-folder.js';

const exec = { command: '/usr/bin/node', args: ['kindforge', 'login', '--exec-credential'], env: [] };

const write = (text: string): string => filesIn(testFolder())('config', text);

const existing = `# mine
apiVersion: v1
kind: Config
clusters:
- name: shop # the good one
  cluster: { server: 'https://shop.example.com', certificate-authority: ca.crt }
users:
- name: admin
  user: { token: secret }
contexts:
- name: admin@shop
  context: { cluster: shop, user: admin, namespace: web }
current-context: admin@shop
`;

describe('the kubeconfig of a login', () => {
  it('is created if it does not exist, and only its owner can read it', () => {
    const kubeconfig = join(testFolder(), 'new', 'config');
    const open = openKubeconfig({ ...usualLoginFlags, kubeconfig, server: 'https://127.0.0.1:6443/' });
    expect(writeLogin(open, 'oidc', exec)).toBe('oidc@127-0-0-1-6443');
    expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
    expect(loadKubeconfig({ path: kubeconfig }).baseUrl).toBe('https://127.0.0.1:6443');
  });

  it('keeps its content and comments, and gets a user, a context and a current context', () => {
    const kubeconfig = write(existing);
    expect(writeLogin(openKubeconfig({ ...usualLoginFlags, kubeconfig }), 'oidc', exec)).toBe('oidc@shop');
    const text = readFileSync(kubeconfig, 'utf8');
    for (const kept of ['# mine', '- name: shop # the good one', 'user: { token: secret }', 'name: admin@shop']) {
      expect(text.replaceAll(/^ +-/gm, '-')).toContain(kept);
    }
    expect(text).toContain('current-context: oidc@shop');
    // Contexts of the same cluster have the same namespace.
    expect(text.match(/namespace: web/g)).toHaveLength(2);
  });

  it('has one user after a second login', () => {
    const kubeconfig = write(existing);
    for (const command of ['/one', '/two']) {
      writeLogin(openKubeconfig({ ...usualLoginFlags, kubeconfig }), 'oidc', { ...exec, command });
    }
    expect(readFileSync(kubeconfig, 'utf8').match(/command: .*/g)).toEqual(['command: /two']);
  });

  it('does not change if it is not valid, or has another user of that name', () => {
    const broken = write('clusters: [');
    expect(() => openKubeconfig({ ...usualLoginFlags, kubeconfig: broken })).toThrow('so nothing was changed');
    const taken = existing.replaceAll('admin', 'oidc@shop');
    const kubeconfig = write(taken);
    const open = openKubeconfig({ ...usualLoginFlags, kubeconfig, context: 'oidc@shop@shop' });
    expect(() => writeLogin(open, 'oidc', exec)).toThrow('has another user "oidc@shop", so nothing was changed');
    expect(readFileSync(kubeconfig, 'utf8')).toBe(taken);
    expect(readFileSync(broken, 'utf8')).toBe('clusters: [');
  });

  it('finds the cluster by the address of its server, and uses a new authority for it', () => {
    const kubeconfig = write(existing);
    const flags = { ...usualLoginFlags, kubeconfig, server: 'https://shop.example.com' };
    expect(openKubeconfig(flags).cluster).toBe('shop');
    const certificateAuthority = write('PEM');
    const { document } = openKubeconfig({ ...flags, certificateAuthority });
    expect(document.toJS().clusters).toEqual([
      { name: 'shop', cluster: { server: 'https://shop.example.com', 'certificate-authority-data': btoa('PEM') } },
    ]);
  });

  it('gives another server of the same host and port another name', () => {
    const kubeconfig = write(
      'clusters:\n- { name: a-example-com, cluster: { server: "https://a.example.com/old" } }\n',
    );
    const { cluster } = openKubeconfig({ ...usualLoginFlags, kubeconfig, server: 'https://a.example.com/new' });
    expect(cluster).toBe('a-example-com-2');
  });

  it('is refused if it names no server', () => {
    const kubeconfig = write('{}');
    expect(() => openKubeconfig({ ...usualLoginFlags, kubeconfig })).toThrow('has no current context with a cluster');
    expect(() => openKubeconfig({ ...usualLoginFlags, kubeconfig, context: 'x' })).toThrow('has no context "x"');
    expect(() => openKubeconfig({ ...usualLoginFlags, kubeconfig, server: 'shop' })).toThrow(
      '--server shop: must be a URL',
    );
  });

  it('is the file of $KUBECONFIG, if that is one', () => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('KUBECONFIG', write(existing));
    expect(openKubeconfig(usualLoginFlags).path).toBe(process.env.KUBECONFIG);
    vi.stubEnv('KUBECONFIG', ['a', 'b'].join(delimiter));
    expect(() => openKubeconfig(usualLoginFlags)).toThrow('$KUBECONFIG names several files');
  });

  it('has the environment of the plugin, with the secret of the client', () => {
    const kubeconfig = write(existing);
    const env = [{ name: 'KINDFORGE_OIDC_CLIENT_SECRET', value: 'hush' }];
    writeLogin(openKubeconfig({ ...usualLoginFlags, kubeconfig }), 'oidc', { ...exec, env });
    expect(readFileSync(kubeconfig, 'utf8')).toContain('value: hush');
  });

  it('connects without the credentials of the context', () => {
    const kubeconfig = write(existing);
    writeFileSync(join(kubeconfig, '../ca.crt'), 'PEM');
    const connection = connectTo(openKubeconfig({ ...usualLoginFlags, kubeconfig }));
    expect(connection.baseUrl).toBe('https://shop.example.com');
  });
});
