import { spawnSync } from 'node:child_process';
import { createDecipheriv } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  aescbc,
  aesgcm,
  identity,
  isEncrypted,
  secretbox,
  type Transformer,
} from '../../../../../runtime/storage/encryption/transformers.js';

const context = Buffer.from('/registry/secrets/default/db');
const value = Buffer.from('{"kind":"Secret","data":{"password":"aHVudGVyMg=="}}');
const keyOf = (bytes: number, fill = 7) => ({ name: 'key1', secret: Buffer.alloc(bytes, fill) });

const makers: readonly [string, (fill?: number) => Transformer | Promise<Transformer>][] = [
  ['aescbc', (fill) => aescbc(keyOf(32, fill))],
  ['aescbc', (fill) => aescbc(keyOf(16, fill))],
  ['aesgcm', (fill) => aesgcm(keyOf(32, fill))],
  ['aesgcm', (fill) => aesgcm(keyOf(24, fill))],
  ['secretbox', (fill) => secretbox(keyOf(32, fill))],
];

describe.each(makers)('%s', (name, make) => {
  it('reads back what it has written, and writes something different each time', async () => {
    const transformer = await make();
    const [one, other] = [transformer.encrypt(value, context), transformer.encrypt(value, context)];
    expect(Buffer.compare(one, other)).not.toBe(0);
    expect(Buffer.from(one).includes('password')).toBe(false);
    const read = await transformer.decrypt(one, context);
    expect(read.ok && Buffer.from(read.bytes)).toEqual(value);
    const small = await transformer.decrypt(transformer.encrypt(Buffer.from('{'), context), context);
    expect(small.ok && small.bytes.length).toBe(1);
  });

  it('has the prefix of a kube-apiserver', async () => {
    expect((await make()).prefix.toString()).toBe(`k8s:enc:${name}:v1:key1:`);
  });

  it('reports that another secret has encrypted it, or that it is too short', async () => {
    const [transformer, other] = [await make(), await make(8)];
    const stored = transformer.encrypt(Buffer.concat([value, value, value]), context);
    const problems: unknown[] = [];
    for (const bytes of [stored, stored.subarray(0, 40), stored.subarray(0, 3), Buffer.alloc(0)]) {
      const read = await other.decrypt(bytes, context);
      problems.push(read.ok ? read : read.problem.replace(/, or is damaged/, ''));
    }
    const another = 'it was encrypted with another secret';
    const short = 'the stored data was shorter than the required size';
    expect(problems[0]).toBe(another);
    expect([another, short]).toContain(problems[1]);
    expect(problems.slice(2)).toEqual([short, short]);
    expect(transformer.version).not.toBe(other.version);
    expect(transformer.version).not.toContain(keyOf(32).secret.toString('hex').slice(0, 16));
  });
});

it.each(['aesgcm', 'secretbox'])('%s notices every changed bit', async (name) => {
  const transformer = await (name === 'aesgcm' ? aesgcm(keyOf(32)) : secretbox(keyOf(32)));
  const stored = Buffer.from(transformer.encrypt(value, context));
  for (let at = 0; at < stored.length; at++) {
    const changed = Buffer.from(stored);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(await transformer.decrypt(changed, context)).toHaveProperty('ok', false);
  }
});

it('aesgcm does not read a value that was moved to another key', () => {
  const transformer = aesgcm(keyOf(32));
  const stored = transformer.encrypt(value, context);
  expect(transformer.decrypt(stored, Buffer.from('/registry/secrets/default/other'))).toHaveProperty('ok', false);
});

it('aesgcm stores the nonce of 12 bytes, the ciphertext and the tag of 16 bytes', () => {
  const { secret } = keyOf(32);
  const stored = Buffer.from(aesgcm(keyOf(32)).encrypt(value, context));
  const decipher = createDecipheriv('aes-256-gcm', secret, stored.subarray(0, 12));
  decipher.setAAD(context).setAuthTag(stored.subarray(-16));
  expect(Buffer.concat([decipher.update(stored.subarray(12, -16)), decipher.final()])).toEqual(value);
});

it('aescbc does not read what another secret turns into an object, even with a valid padding', () => {
  const [one, other] = [aescbc(keyOf(32)), aescbc(keyOf(32, 8))];
  for (let i = 0; i < 2000; i++) {
    expect(other.decrypt(one.encrypt(value, context), context)).toHaveProperty('ok', false);
  }
});

it('aescbc stores the IV, and openssl can read the rest', () => {
  const stored = Buffer.from(aescbc(keyOf(32)).encrypt(value, context));
  const flags = ['-K', keyOf(32).secret.toString('hex'), '-iv', stored.subarray(0, 16).toString('hex')];
  const { stdout } = spawnSync('openssl', ['enc', '-d', '-aes-256-cbc', ...flags], { input: stored.subarray(16) });
  expect(stdout.toString()).toBe(value.toString());
});

it('secretbox reads the test vector of NaCl', async () => {
  const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
  const secret = hex('1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389');
  const nonce = hex('69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37');
  const box = hex(`f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c531a1186a
    c0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc8ab932164548e526ae90224368517acfea
    bd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b37973f622a43d14a6599b1f654cb45a74e355a5`);
  const message = hex(`be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d45e6c6129
    6cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6b1318a024a838f21af1fde048977eb48f59ffd49
    24ca1c60902e52f0a089bc76897040e082f937763848645e0705`);
  const read = await (await secretbox({ name: 'k', secret })).decrypt(Buffer.concat([nonce, box]), context);
  expect(read.ok && Buffer.from(read.bytes).toString('hex')).toBe(message.toString('hex'));
});

it('identity leaves values unchanged, and refuses encrypted ones', () => {
  expect(identity.encrypt(value, context)).toBe(value);
  expect(identity.decrypt(value, context)).toEqual({ ok: true, bytes: value });
  expect(identity.decrypt(Buffer.from('k8s:enc:aescbc:v1:key1:x'), context)).toHaveProperty('ok', false);
  expect([isEncrypted(value), isEncrypted(Buffer.from('k8s:enc:a')), isEncrypted(Buffer.from('k8s'))]).toEqual([
    false,
    true,
    false,
  ]);
});
