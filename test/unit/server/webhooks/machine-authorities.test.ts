import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { machineAuthorities } from '../../../../server/webhooks/machine-authorities.js';
import { openPool } from '../../../../server/webhooks/pool.js';
import { makeServerCertificate } from '../../../support/certificates.js';
import { listenLocally } from '../../../support/local-server.js';
import { testFolder } from '../../../support/scratch-folder.js';

const certificates = await Promise.all([1, 2, 3].map(async () => (await makeServerCertificate()).cert.trim()));
const [one = '', two = '', three = ''] = certificates;

const found = (variables: Parameters<typeof machineAuthorities>[0], files: readonly string[] = []) =>
  machineAuthorities(variables, files)
    ?.current()
    .match(/-----BEGIN [\s\S]+?-----END CERTIFICATE-----/g);

describe('the authorities of the machine', () => {
  it('are read from SSL_CERT_FILE, or else from the first file of the system, and are read again', () => {
    const folder = testFolder();
    const [named, system, none] = ['named', 'system', 'none'].map((name) => join(folder, name));
    writeFileSync(String(named), 'NAMED');
    writeFileSync(String(system), 'SYSTEM');
    const open = (variable: string | undefined, files: readonly (string | undefined)[]) =>
      machineAuthorities({ SSL_CERT_FILE: variable }, files.map(String));
    expect(open(named, [system])?.current()).toBe('NAMED');
    expect(open('', [none])).toBeUndefined();
    const followed = open('', [none, system]);
    expect(followed?.current()).toBe('SYSTEM');
    writeFileSync(String(system), 'OTHER');
    void followed?.reload();
    expect(followed?.current()).toBe('OTHER');
    expect(() => open(none, [system])).toThrow('ENOENT');
  });

  it('are joined by certificates in the folders of SSL_CERT_DIR, each once, whatever else is there', () => {
    const folder = testFolder();
    const [first, second] = ['first', 'second'].map((name) => join(folder, name));
    for (const each of [first, second]) mkdirSync(String(each));
    writeFileSync(join(String(first), 'a.pem'), `words\n${one}\nmore ${two}`);
    writeFileSync(join(String(first), 'broken.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
    writeFileSync(join(String(first), 'key.pem'), '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
    mkdirSync(join(String(first), 'folder'));
    symlinkSync('a.pem', join(String(first), '0a1b2c3d.0'));
    symlinkSync('nowhere', join(String(first), 'dangling'));
    writeFileSync(join(String(second), 'b.crt'), three);
    const file = join(folder, 'system');
    writeFileSync(file, two);
    const folders = `${first}:${join(folder, 'none')}::${second}`;
    expect(found({ SSL_CERT_DIR: folders })).toEqual([one, two, three]);
    expect(found({ SSL_CERT_DIR: String(second) }, [file])).toEqual([two, three]);
    expect(found({ SSL_CERT_DIR: String(second), SSL_CERT_FILE: file })).toEqual([two, three]);
    expect(found({ SSL_CERT_DIR: join(folder, 'none') })).toBeUndefined();
  });

  it('verify targets that have no authorities of their own', async () => {
    const own = await makeServerCertificate();
    const server = createServer(own, (_request, response) => response.end('{}'));
    const origin = `https://localhost:${await listenLocally(server)}`;
    onTestFinished(() => void server.close());
    const folder = testFolder();
    writeFileSync(join(folder, 'own.pem'), own.cert);
    const call = async (SSL_CERT_DIR: string, ca?: string) => {
      const pool = openPool({ origin, ca }, () => machineAuthorities({ SSL_CERT_DIR }, [])?.current());
      onTestFinished(() => pool.close());
      return (await pool.send({ path: '/', mostBytes: 100 }, AbortSignal.timeout(10_000))).answer;
    };
    expect(await call(folder)).toMatchObject({ ok: true, text: '{}' });
    expect(await call('/nowhere')).toMatchObject({ ok: false, problem: expect.stringContaining('unknown authority') });
    expect(await call(folder, one)).toMatchObject({ ok: false });
  });
});
