import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { answersOf, serveKeys } from '../../../../examples/encryption/key-service.js';
import { openEncryption, unknownResources } from '../../../../server/parts/open-encryption.js';
import { testFolder } from '../../../support/scratch-folder.js';

const secret = Buffer.alloc(32, 1).toString('base64');
const aes = (name: string): string => `aesgcm: { keys: [{ name: ${name}, secret: ${secret} }] }`;

let folder: string;
let configFile: string;
beforeEach(() => {
  folder = testFolder();
  configFile = join(folder, 'e.yaml');
});

const use = (...providers: readonly string[]): void =>
  writeFileSync(
    configFile,
    `apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n  - resources: [secrets]\n    providers:\n${providers.map((one) => `      - ${one}\n`).join('')}`,
  );

const kms = (name: string, timeout = '20s'): string =>
  `kms: { apiVersion: v2, name: ${name}, endpoint: "unix://${folder}/${name}.sock", timeout: ${timeout} }`;

async function serve(name: string) {
  writeFileSync(join(folder, 'keys'), `one ${secret}\n`);
  const answers = answersOf(join(folder, 'keys'));
  let asked = 0;
  const counted = {
    ...answers,
    Status: () => {
      asked++;
      return answers.Status();
    },
  };
  const stop = await serveKeys(join(folder, `${name}.sock`), counted);
  onTestFinished(stop);
  return { stop, asked: () => asked };
}

async function opened() {
  const reloads: boolean[] = [];
  const nothing = (): void => {};
  const observer = {
    transformed: nothing,
    asked: nothing,
    keyUsed: nothing,
    statusKey: nothing,
    invalidKey: nothing,
    missed: nothing,
    made: nothing,
    reloaded: (used: boolean) => void reloads.push(used),
  };
  const encryption = await openEncryption({ configFile }, observer);
  onTestFinished(() => encryption.close());
  const prefix = (): string =>
    Buffer.from(encryption.encryption.encrypt('/secrets/d/a', Buffer.from('{}')))
      .toString('latin1')
      .replace(/^(k8s:enc:(kms:v2:\w+|\w+:v1:\w+):).*$/s, '$1');
  return { ...encryption, reloads, prefix };
}

describe('the encryption of a server', () => {
  it('uses a changed file, and keeps the earlier one if it cannot', async () => {
    use(aes('a'), 'identity: {}');
    const { file, prefix, reloads } = await opened();
    expect([prefix(), file.paths]).toEqual(['k8s:enc:aesgcm:v1:a:', [configFile]]);
    use(aes('b'), aes('a'));
    await file.reload();
    expect(prefix()).toBe('k8s:enc:aesgcm:v1:b:');
    use('aesgcm: {}');
    await expect(file.reload()).rejects.toThrow('e.yaml:6:17: resources[0].providers[0].aesgcm.keys: Required value');
    use(kms('away', '200ms'));
    await expect(file.reload()).rejects.toThrow('e.yaml: KMS provider "away" has no key: failed to perform status');
    expect([prefix(), reloads]).toEqual(['k8s:enc:aesgcm:v1:b:', [true, false, false]]);
  });

  it('needs the key service that encrypts, and reports another one that fails', async () => {
    use(kms('vault', '200ms'));
    await expect(opened()).rejects.toThrow('encryption.configFile');
    use('identity: {}', kms('vault', '200ms'));
    const { check } = await opened();
    expect(check.problem()).toMatch('failed to perform status section of the healthz check for KMS Provider vault');
    expect([check.name, check.readinessOnly]).toEqual(['kms-providers', true]);
    use(aes('a'));
    expect((await opened()).check.problem()).toBe('');
  });

  it('keeps a key service that stays in the file, and its key', async () => {
    const [vault, other] = [await serve('vault'), await serve('other')];
    use(kms('vault'));
    const { file, check, prefix, encryption } = await opened();
    const stored = encryption.encrypt('/secrets/d/a', Buffer.from('{}'));
    use(kms('other'), kms('vault'));
    await file.reload();
    expect([prefix(), vault.asked(), other.asked()]).toEqual(['k8s:enc:kms:v2:other:', 1, 1]);
    vault.stop();
    expect(encryption.decrypt('/secrets/d/a', stored)).toMatchObject({ ok: true });
    use(aes('a'));
    await file.reload();
    expect(check.problem()).toBe('');
    expect(encryption.decrypt('/secrets/d/a', stored)).toHaveProperty('ok', false);
  });
});

it('names resources of the core group that no kind has', () => {
  const kinds = ['secrets', 'pods'].map((plural) => ({ group: '', names: { plural } }));
  const resources = (): readonly string[] => ['secrets', 'secret', 'things', 'widgets.shop.example.com', '*.', '*.*'];
  expect(unknownResources({ resources }, kinds)).toEqual([
    'the encryption configuration names "secret", which the core group does not have; did you mean `secrets`?',
    'the encryption configuration names "things", which the core group does not have; write the plural, and the group behind a dot',
  ]);
});
