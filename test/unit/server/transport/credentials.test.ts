/** The files with the administrator's credentials. */
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { connectionOf } from '../../../../client/connection/kubeconfig.js';
import { loadKubeconfig } from '../../../../client/node.js';
import { type CredentialsFolder, writeCredentials } from '../../../../server/transport/credentials-folder.js';
import { printKubeconfig } from '../../../../server/transport/listen.js';
import { scratchFolder } from '../../../support/scratch-folder.js';

const folder = scratchFolder();

const url = 'http://127.0.0.1:8080';
const token = 'f00';
const modeOf = (path: string): number => statSync(path).mode & 0o777;

const write = (place: string | undefined): CredentialsFolder =>
  writeCredentials(place, {
    kubeconfig: printKubeconfig({ url, user: token, trusted: undefined }),
    token,
    authority: undefined,
  });

const headerOf = ({ header = '' }: CredentialsFolder): string => header;

describe('the files of the administrator', () => {
  it('are in their folder, for their owner only', () => {
    const place = join(folder, 'data/credentials');
    const files = write(place);
    expect(files.kubeconfig).toBe(join(place, 'kubeconfig'));
    expect(readFileSync(headerOf(files), 'utf8')).toBe('authorization: Bearer f00\n');
    expect([files.kubeconfig, headerOf(files)].map(modeOf)).toEqual([0o600, 0o600]);
    expect(modeOf(place)).toBe(0o700);
    files.dispose();
    expect(existsSync(headerOf(files))).toBe(true);
  });

  it.each<[string, string, string | undefined, string | undefined, object]>([
    [
      'plain HTTP',
      url,
      token,
      undefined,
      { server: 'http://admin:f00@127.0.0.1:8080', 'insecure-skip-tls-verify': true },
    ],
    ['plain HTTP without credentials', url, undefined, undefined, { server: url, 'insecure-skip-tls-verify': true }],
    ['TLS', 'https://a', token, 'pem', { server: 'https://a', 'certificate-authority-data': 'cGVt' }],
  ])('have everything that clients need: %s', (_what, server, bearer, certificate, cluster) => {
    const printed: unknown = JSON.parse(printKubeconfig({ url: server, user: bearer, trusted: certificate }));
    const user = bearer === undefined ? {} : { token: bearer };
    expect(printed).toMatchObject({ clusters: [{ cluster }], users: [{ user }] });
    expect(JSON.stringify(printed).includes('insecure')).toBe(certificate === undefined);
  });

  it('connect the SDK to the server', () => {
    const { kubeconfig } = write(join(folder, 'data'));
    expect(loadKubeconfig({ path: kubeconfig }).baseUrl).toBe(url);
    expect(connectionOf(JSON.parse(readFileSync(kubeconfig, 'utf8'))).token).toBe('f00');
  });

  it('replace existing files, including links and loose modes', () => {
    const place = join(folder, 'own');
    mkdirSync(place);
    writeFileSync(join(folder, 'precious'), 'kept');
    symlinkSync(join(folder, 'precious'), join(place, 'header'));
    writeFileSync(join(place, 'kubeconfig'), 'old', { mode: 0o644 });
    const files = write(place);
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('kept');
    expect([files.kubeconfig, headerOf(files)].map(modeOf)).toEqual([0o600, 0o600]);
  });

  it('are removed with the server if they have no folder', () => {
    const files = write(undefined);
    expect(modeOf(headerOf(files))).toBe(0o600);
    files.dispose();
    expect(existsSync(headerOf(files))).toBe(false);
  });
});

describe('a kubeconfig', () => {
  it('has the certificate if there is one, and no token in the address', () => {
    const text = printKubeconfig({ url: 'https://127.0.0.1:8443', user: token, trusted: 'CERT' });
    expect(JSON.parse(text)).toMatchObject({
      clusters: [{ cluster: { server: 'https://127.0.0.1:8443', 'certificate-authority-data': btoa('CERT') } }],
      users: [{ user: { token } }],
    });
  });

  it("has the administrator's certificate and key", () => {
    const text = printKubeconfig({ url: 'https://a', user: { cert: 'ME', key: 'KEY' }, trusted: 'CERT' });
    const user = { 'client-certificate-data': btoa('ME'), 'client-key-data': btoa('KEY') };
    expect(JSON.parse(text)).toMatchObject({ clusters: [{ cluster: { server: 'https://a' } }], users: [{ user }] });
  });

  it('names no user without an administrator', () => {
    const text = printKubeconfig({ url, user: undefined, trusted: undefined });
    expect(JSON.parse(text)).toMatchObject({ clusters: [{ cluster: { server: url } }], users: [{ user: {} }] });
  });
});
