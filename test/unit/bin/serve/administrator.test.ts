/** The administrator that a server makes: who is recognized, and which files say how to be. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { defineAdministrator } from '../../../../bin/serve/administrator.js';
import { writeCredentials } from '../../../../bin/serve/credentials-folder.js';
import { loadKubeconfig } from '../../../../client/node.js';

const folder = mkdtempSync(join(tmpdir(), 'kindforge-administrator-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const secret = new Uint8Array(32).fill(7);
const url = 'http://127.0.0.1:8080';
const tls = undefined;
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`;

describe('the token of the administrator', () => {
  const { token, authenticator } = defineAdministrator(secret);
  const ask = (authorization: string | string[]) => authenticator.authenticate({ headers: { authorization } });

  it('follows from the secret of the data, and is made up where there is none', () => {
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(defineAdministrator(secret).token).toBe(token);
    expect(defineAdministrator(new Uint8Array(32)).token).not.toBe(token);
    expect(defineAdministrator().token).not.toBe(defineAdministrator().token);
  });

  it.each([`Bearer ${token}`, `bearer ${token}`, basic(`admin:${token}`)])('is recognized as %s', (header) => {
    expect(ask(header)).toMatchObject({
      user: { name: 'system:admin', groups: ['system:masters', 'system:authenticated'] },
    });
  });

  it.each(['', 'Bearer ', `Bearer ${token}0`, `Bearer ${token.slice(1)}`, basic('admin:'), basic(`anna:${token}`)])(
    'is not %j',
    (header) => expect(ask(header)).toBe(undefined),
  );
});

describe('the files of the administrator', () => {
  const storage = { backend: 'lmdb', folder: join(folder, 'data') } as const;
  const modeOf = (path: string): number => statSync(path).mode & 0o777;

  it('are with the data, for their owner only', () => {
    const files = writeCredentials({ storage, tls, credentialsDir: undefined }, { url, token: 'f00' });
    expect(files.kubeconfig).toBe(join(folder, 'data/credentials/kubeconfig'));
    expect(readFileSync(files.header, 'utf8')).toBe('authorization: Bearer f00\n');
    expect([files.kubeconfig, files.header].map(modeOf)).toEqual([0o600, 0o600]);
    expect(modeOf(join(folder, 'data/credentials'))).toBe(0o700);
    files.dispose();
    expect(existsSync(files.header)).toBe(true);
  });

  it('lead the SDK to the server', () => {
    const files = writeCredentials({ storage, tls, credentialsDir: undefined }, { url, token: 'f00' });
    expect(loadKubeconfig({ path: files.kubeconfig })).toEqual({
      baseUrl: url,
      headers: { authorization: 'Bearer f00' },
    });
  });

  it('hold the certificate where there is one, and no token in the address', () => {
    const certFile = join(folder, 'cert.pem');
    writeFileSync(certFile, 'CERT');
    const files = writeCredentials(
      { storage, tls: { certFile, keyFile: '' }, credentialsDir: undefined },
      { url: 'https://127.0.0.1:8443', token: 'f00' },
    );
    expect(JSON.parse(readFileSync(files.kubeconfig, 'utf8'))).toMatchObject({
      clusters: [{ cluster: { server: 'https://127.0.0.1:8443', 'certificate-authority-data': btoa('CERT') } }],
      users: [{ user: { token: 'f00' } }],
    });
  });

  it('replace what is in their place, links and loose modes included', () => {
    const credentialsDir = join(folder, 'own');
    mkdirSync(credentialsDir);
    writeFileSync(join(folder, 'precious'), 'kept');
    symlinkSync(join(folder, 'precious'), join(credentialsDir, 'header'));
    writeFileSync(join(credentialsDir, 'kubeconfig'), 'old', { mode: 0o644 });
    const files = writeCredentials({ storage, tls, credentialsDir }, { url, token: 'f00' });
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('kept');
    expect([files.kubeconfig, files.header].map(modeOf)).toEqual([0o600, 0o600]);
  });

  it('are gone with a server whose data is', () => {
    const files = writeCredentials(
      { storage: { backend: 'memory' }, tls, credentialsDir: undefined },
      { url, token: 'f00' },
    );
    expect(modeOf(files.header)).toBe(0o600);
    files.dispose();
    expect(existsSync(files.header)).toBe(false);
  });
});
