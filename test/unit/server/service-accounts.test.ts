/** The keys that verify service account tokens. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readCheckingKeys } from '../../../plugins/index.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { openServiceAccounts } from '../../../server/service-accounts.js';
import { testFolder } from '../../support/scratch-folder.js';

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject, type: 'spki' | 'pkcs8' = 'spki'): string => String(key.export({ type, format: 'pem' }));
const noKeys = { secret: undefined, servingKey: undefined, clock: undefined };

describe('a text with keys', () => {
  it('has all of them, public or private, with text between them', () => {
    const [one, two] = [rsa(), ec()];
    const text = `first\n${pemOf(one.publicKey)}\nsecond\n${pemOf(two.privateKey, 'pkcs8')}`;
    const read = readCheckingKeys(text);
    expect(read.ok && read.key.map(({ algorithm }) => algorithm)).toEqual(['RS256', 'ES256']);
    expect(read.ok && read.key.map(({ publicKey }) => pemOf(publicKey))).toEqual(
      [one, two].map((pair) => pemOf(pair.publicKey)),
    );
  });

  it('may name the parameters of a curve before its key', () => {
    const { privateKey } = ec();
    const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
    const read = readCheckingKeys(parameters + String(privateKey.export({ type: 'sec1', format: 'pem' })));
    expect(read.ok && read.key).toHaveLength(1);
  });

  it.each([
    ['', 'no public or private key in PEM'],
    ['no key', 'no public or private key in PEM'],
    [
      `${pemOf(rsa().publicKey)}-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n`,
      'no public or private key in PEM',
    ],
    [pemOf(generateKeyPairSync('ed25519').publicKey), 'the key is neither RSA nor on the curve P-256'],
  ])('is refused if one cannot be used', (text, problem) =>
    expect(readCheckingKeys(text)).toEqual({ ok: false, problem }),
  );
});

describe('a server verifies tokens', () => {
  const idsOf = async (options: { readonly keyFiles?: readonly string[] }, servingKey: string | undefined) => {
    const issuer = 'https://issuer.example.com';
    const { documents } = await openServiceAccounts({ issuer, ...options }, kubernetesNaming, {
      ...noKeys,
      servingKey,
    });
    const keys: unknown = documents[1]?.read('').keys;
    return Array.isArray(keys) ? keys.map(({ kid }) => String(kid)).slice(1) : [];
  };
  const idOf = (key: KeyObject): string => {
    const read = readCheckingKeys(pemOf(key));
    return (read.ok && read.key[0]?.id) || '';
  };

  it('by every key of every file, and by the serving key only without files', async () => {
    const folder = testFolder();
    const [one, two, three, serving] = [rsa(), rsa(), ec(), rsa()];
    writeFileSync(join(folder, 'two.pem'), pemOf(one.publicKey) + pemOf(two.publicKey));
    writeFileSync(join(folder, 'one.pem'), pemOf(three.publicKey));
    const keyFiles = [join(folder, 'two.pem'), join(folder, 'one.pem')];
    const servingKey = pemOf(serving.privateKey, 'pkcs8');
    const all = [one, two, three].map((pair) => idOf(pair.publicKey));
    expect(await idsOf({ keyFiles }, servingKey)).toEqual(all);
    expect(await idsOf({}, servingKey)).toEqual([idOf(serving.publicKey)]);
    expect(await idsOf({}, undefined)).toEqual([]);
    expect(await idsOf({}, pemOf(generateKeyPairSync('ed25519').privateKey, 'pkcs8'))).toEqual([]);
  });
});
