import { createCipheriv, createHmac, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Answers, answersOf, serveKeys } from '../../../../../examples/encryption/key-service.js';
import { KeyService, type KmsOptions } from '../../../../../runtime/storage/encryption/kms.js';
import { encryptedObject } from '../../../../../runtime/storage/encryption/kms-messages.js';
import { eventually } from '../../../../support/eventually.js';
import { testFolder } from '../../../../support/scratch-folder.js';

const context = Buffer.from('/registry/secrets/d/a');
const value = Buffer.from('{"kind":"Secret"}');
const secretOf = (fill: number): string => Buffer.alloc(32, fill).toString('base64');

let folder: string;
let answers: Answers;
const calls: string[] = [];

beforeEach(() => {
  folder = testFolder();
  calls.length = 0;
  keysAre('one');
  answers = answersOf(join(folder, 'keys'));
});

const keysAre = (...ids: readonly string[]): void =>
  writeFileSync(join(folder, 'keys'), ids.map((id) => `${id} ${secretOf(id.length)}\n`).join(''));

/** Starts a service that answers with the functions in `answers`. */
async function serve(): Promise<() => void> {
  const counted = (name: keyof Answers) => (request: never) => {
    calls.push(name);
    return answers[name](request);
  };
  const stop = await serveKeys(join(folder, 'kms.sock'), {
    Status: counted('Status') as Answers['Status'],
    Encrypt: counted('Encrypt'),
    Decrypt: counted('Decrypt'),
  });
  onTestFinished(stop);
  return stop;
}

async function opened(options: Partial<KmsOptions> = {}): Promise<KeyService> {
  const service = new KeyService({
    name: 'vault',
    endpoint: `unix://${folder}/kms.sock`,
    timeoutMs: 20_000,
    ...options,
  });
  onTestFinished(() => service.close());
  await service.open();
  return service;
}

describe('a key service', () => {
  it('encrypts one key, which encrypts all values', async () => {
    await serve();
    const service = await opened();
    expect([service.health, service.problem(), service.prefix.toString()]).toEqual(['', '', 'k8s:enc:kms:v2:vault:']);
    const [one, other] = [service.encrypt(value, context), service.encrypt(value, context)];
    expect(one).not.toEqual(other);
    expect(service.decrypt(one, context)).toMatchObject({ ok: true, bytes: value });
    expect(service.decrypt(one, Buffer.from('/registry/secrets/d/b'))).toHaveProperty('ok', false);
    expect(calls).toEqual(['Status', 'Encrypt']);
    const { encryptedData, encryptedDEKSource, ...rest } = encryptedObject.decode(one);
    expect(rest).toEqual({ keyID: 'one', annotations: {}, encryptedDEKSourceType: 0 });
    expect([encryptedData.length, encryptedDEKSource.length]).toEqual([12 + value.length + 16, 12 + 32 + 16]);
  });

  it('decrypts the keys of others once each, however many values use them', async () => {
    await serve();
    const before = await opened();
    const stored = before.encrypt(value, context);
    const service = await opened();
    calls.length = 0;
    const all = await Promise.all(Array.from({ length: 20 }, () => service.decrypt(stored, context)));
    expect(all.every(({ ok }) => ok)).toBe(true);
    expect(service.decrypt(stored, context)).toMatchObject({ ok: true, bytes: value });
    expect(calls).toEqual(['Decrypt']);
  });

  it('makes a new key when the service changes to another one, and older values become stale', async () => {
    await serve();
    const service = await opened({ timing: { pollMs: 20 } });
    const [stored, version] = [service.encrypt(value, context), service.version];
    expect(service.decrypt(stored, context)).not.toHaveProperty('stale');
    keysAre('two', 'one');
    await eventually(() => expect(service.version).not.toBe(version));
    expect(await service.decrypt(stored, context)).toMatchObject({ ok: true, stale: true });
    expect(encryptedObject.decode(service.encrypt(value, context)).keyID).toBe('two');
  });

  it('reads values with keys that are derived from a seed', async () => {
    await serve();
    const seed = randomBytes(32);
    const info = randomBytes(32);
    const nonce = randomBytes(12);
    const cipher = createCipheriv(
      'aes-256-gcm',
      createHmac('sha256', seed)
        .update(Buffer.concat([info, Buffer.of(1)]))
        .digest(),
      nonce,
    );
    cipher.setAAD(context);
    const encryptedData = Buffer.concat([info, nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]);
    const request = { plaintext: seed, ciphertext: seed, keyId: '' };
    const { ciphertext } = (await answers.Encrypt(request)) as { readonly ciphertext: Buffer };
    const envelope = { keyID: 'one', encryptedDEKSource: ciphertext, annotations: {}, encryptedDEKSourceType: 1 };
    const stored = encryptedObject.encode({ ...envelope, encryptedData });
    expect(await (await opened()).decrypt(stored, context)).toMatchObject({ ok: true, bytes: value, stale: true });
  });
});

describe('a failing service', () => {
  it('is given up after the time limit of a call', async () => {
    answers = { ...answers, Status: () => sleep(5_000, {}) };
    await serve();
    const began = Date.now();
    const service = await opened({ timeoutMs: 300 });
    expect(Date.now() - began).toBeLessThan(4_000);
    expect(service.health).toMatch(
      /^failed to perform status section of the healthz check for KMS Provider vault, error: 4 DEADLINE_EXCEEDED/,
    );
    expect(service.problem()).toMatch(/^KMS provider "vault" has no key: failed to perform status section/);
  });

  it('does not exist', async () => {
    expect((await opened({ timeoutMs: 300 })).health).toMatch(
      'failed to perform status section of the healthz check for KMS Provider',
    );
  });

  it.each<[object, string]>([
    [{ version: 'v2', healthz: 'sealed', keyId: 'one' }, 'got unexpected healthz status: sealed'],
    [{ version: 'v1', healthz: 'ok', keyId: 'one' }, 'expected KMSv2 API version v2, got v1'],
    [{ version: 'v2', healthz: 'ok', keyId: '' }, 'expected KMSv2 KeyID to be set, got '],
  ])('answers %j', async (status, problem) => {
    answers = { ...answers, Status: () => status };
    await serve();
    expect((await opened()).health).toBe(`kmsv2 Provider vault is not healthy, error: ${problem}`);
  });

  it('encrypts with another key than it reports', async () => {
    answers = { ...answers, Status: () => ({ version: 'v2', healthz: 'ok', keyId: 'other' }) };
    await serve();
    expect((await opened()).health).toMatch(
      /has encrypted with the key sha256:\w+, while its status names the key sha/,
    );
  });

  it('returns a key that is too large', async () => {
    const encrypt = answers.Encrypt;
    answers = { ...answers, Encrypt: async (one) => ({ ...(await encrypt(one)), ciphertext: Buffer.alloc(1025) }) };
    await serve();
    expect((await opened()).health).toBe(
      'KMS provider "vault" has given a key that cannot be stored: encrypted DEK source has more than 1024 bytes',
    );
  });

  it('allows encryption for a while, and recovers', async () => {
    let recoveries = 0;
    const stop = await serve();
    const service = await opened({
      timeoutMs: 1_000,
      timing: { pollMs: 20, retryMs: 20 },
      onRecovered: () => void recoveries++,
    });
    const stored = service.encrypt(value, context);
    stop();
    await eventually(() => expect(service.health).not.toBe(''));
    expect(service.problem()).toBe('');
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 181_000);
    expect(service.problem()).toMatch(/^encryptedDEKSource with keyID hash "sha256:\w+" expired at 20\S+Z \(current/);
    vi.useRealTimers();
    // Reads need no service once it has decrypted their key.
    expect(service.decrypt(stored, context)).toMatchObject({ ok: true });
    expect(recoveries).toBe(0);
    await serve();
    await eventually(() => expect([service.health, recoveries]).toEqual(['', 1]));
  });

  it('cannot decrypt a key, and is asked again for the next value', async () => {
    await serve();
    const stored = (await opened()).encrypt(value, context);
    const service = await opened();
    keysAre('three');
    expect(await service.decrypt(stored, context)).toEqual({
      ok: false,
      problem: 'failed to decrypt DEK, error: 13 INTERNAL: the key one is missing',
    });
    keysAre('three', 'one');
    expect(await service.decrypt(stored, context)).toMatchObject({ ok: true });
  });

  it('has decrypted bytes that are not a key', async () => {
    await serve();
    const stored = (await opened()).encrypt(value, context);
    const service = await opened();
    answers = { ...answers, Decrypt: () => ({ plaintext: Buffer.alloc(5) }) };
    expect(await service.decrypt(stored, context)).toMatchObject({
      problem: 'failed to decrypt DEK, error: the key service has decrypted a key of 5 bytes',
    });
  });
});

describe('a stored value that is damaged', () => {
  const whole = {
    encryptedData: Buffer.of(1),
    keyID: 'one',
    encryptedDEKSource: Buffer.of(1),
    annotations: {},
    encryptedDEKSourceType: 0,
  };

  it.each<[Uint8Array, RegExp]>([
    [Buffer.from('{"kind"'), /^it is not an encrypted object: /],
    [Buffer.alloc(0), /^encrypted data is empty$/],
    [encryptedObject.encode({ ...whole, encryptedDEKSourceType: 7 }), /^unknown encryptedDEKSourceType: 7$/],
    [encryptedObject.encode({ ...whole, encryptedDEKSource: Buffer.alloc(0) }), /^encrypted DEK source is empty$/],
    [encryptedObject.encode({ ...whole, keyID: '' }), /^the key id is empty$/],
    [
      encryptedObject.encode({ ...whole, annotations: { 'a.example.com': Buffer.alloc(33_000) } }),
      /^annotations have more than 32 kB$/,
    ],
  ])('%#', async (stored, problem) => {
    await serve();
    const decrypted = await (await opened()).decrypt(stored, context);
    expect(decrypted.ok ? '' : decrypted.problem).toMatch(problem);
  });
});
