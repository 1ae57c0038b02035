/** The keys that verify service account tokens. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import { afterAll, describe, expect, it } from 'vitest';
import type { SignerClient } from '../../../plugins/authentication/signer-client.js';
import { openExternalSigner, readCheckingKeys } from '../../../plugins/index.js';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { openServiceAccounts } from '../../../server/service-accounts.js';
import { testFolder } from '../../support/scratch-folder.js';

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject, type: 'spki' | 'pkcs8' = 'spki'): string => String(key.export({ type, format: 'pem' }));
const ends: (() => void)[] = [];
afterAll(() => {
  for (const end of ends) end();
});
const noKeys = {
  secret: undefined,
  servingKey: undefined,
  clock: undefined,
  featureEnabled: (gate: string) => gate === 'ExternalServiceAccountTokenSigner',
  onProblem: () => undefined,
  onEnd: (end: () => void) => void ends.push(end),
};

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
    [pemOf(generateKeyPairSync('ed25519').publicKey), 'the key is neither RSA nor on the curve P-256, P-384 or P-521'],
  ])('is refused if one key cannot be used', (text, problem) =>
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

  it('with every key of every file, and with the serving key only without files', async () => {
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

/** A signer with one key on P-384. */
const signerKey = generateKeyPairSync('ec', { namedCurve: 'P-384' });
const base64url = (text: string | Buffer): string => Buffer.from(text).toString('base64url');

/** Returns the answers of a signer with these fields in its header. */
function signerOf(fields: object = {}, excludeFromOidcDiscovery = false) {
  return {
    Metadata: () => ({ maxTokenExpirationSeconds: 3600 }),
    FetchKeys: () => ({
      keys: [
        { keyId: 'k', key: signerKey.publicKey.export({ type: 'spki', format: 'der' }), excludeFromOidcDiscovery },
      ],
      refreshHintSeconds: 60,
    }),
    Sign({ claims }: { readonly claims: string }) {
      const header = base64url(JSON.stringify({ alg: 'ES384', typ: 'JWT', kid: 'k', ...fields }));
      const key = { key: signerKey.privateKey, dsaEncoding: 'ieee-p1363' as const };
      return { header, signature: base64url(sign('sha384', Buffer.from(`${header}.${claims}`), key)) };
    },
  };
}

const { root } = protobuf.parse(`
syntax = "proto3";
package v1;
message MetadataRequest {}
message MetadataResponse { int64 max_token_expiration_seconds = 1; }
message FetchKeysRequest {}
message FetchKeysResponse { repeated Key keys = 1; int64 refresh_hint_seconds = 3; }
message Key { string key_id = 1; bytes key = 2; bool exclude_from_oidc_discovery = 3; }
message SignRequest { string claims = 1; }
message SignResponse { string header = 1; string signature = 2; }
`);

/** Serves a signer at a socket. */
async function serveSigner(socket: string, answers: Readonly<Record<string, (asked: never) => object>>): Promise<void> {
  const server = new Server();
  const methods = Object.entries(answers).map(([name, answer]) => {
    const [asked, answered] = [root.lookupType(`v1.${name}Request`), root.lookupType(`v1.${name}Response`)];
    const definition = {
      path: `/v1.ExternalJWTSigner/${name}`,
      requestStream: false,
      responseStream: false,
      requestSerialize: (message: object) => Buffer.from(asked.encode(message).finish()),
      requestDeserialize: (bytes: Buffer) => asked.toObject(asked.decode(bytes)),
      responseSerialize: (message: object) => Buffer.from(answered.encode(message).finish()),
      responseDeserialize: (bytes: Buffer) => answered.toObject(answered.decode(bytes)),
    };
    const handle = ({ request }: { readonly request: object }, done: sendUnaryData<object>): void =>
      done(null, answer(request as never));
    return { name, definition, handle };
  });
  server.addService(
    Object.fromEntries(methods.map(({ name, definition }) => [name, definition])),
    Object.fromEntries(methods.map(({ name, handle }) => [name, handle])),
  );
  await new Promise((resolve) => server.bindAsync(`unix:${socket}`, ServerCredentials.createInsecure(), resolve));
  ends.push(() => server.forceShutdown());
}

describe('a signer outside of the server', () => {
  const issuer = 'https://issuer.example.com';

  it('signs tokens that the server and others accept', async () => {
    const signingEndpoint = join(testFolder(), 'signer.sock');
    await serveSigner(signingEndpoint, signerOf());
    const opened = await openServiceAccounts({ issuer, signingEndpoint }, kubernetesNaming, noKeys);
    expect(opened.issuer.maxSeconds).toBe(3600);
    expect(opened.documents[1]?.read('')).toMatchObject({ keys: [{ kid: 'k', alg: 'ES384', crv: 'P-384' }] });
    const account = { namespace: 'n', serviceaccount: { name: 'robot', uid: 'u' } };
    const exp = Math.floor(Date.now() / 1000) + 600;
    const claims = { aud: [issuer], exp, sub: 'system:serviceaccount:n:robot', 'kubernetes.io': account };
    const token = await opened.issuer.issue(claims);
    const robot = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot', uid: 'u' } };
    const context = {
      get: () => robot,
      update: () => Promise.reject(new Error('nothing is changed')),
      featureEnabled: () => true,
    };
    const authenticate = (text: string) =>
      opened.authenticator.authenticate({ headers: { authorization: `Bearer ${text}` } }, context);
    expect(await authenticate(token)).toMatchObject({ user: { name: 'system:serviceaccount:n:robot' } });
    expect(await authenticate(`${token.slice(0, -8)}AAAAAAAA`)).toMatchObject({
      refused: 'the signature is not valid',
    });
  });

  it.each([
    [{ kid: 'other' }, false, 'its key "other" is not known'],
    [{}, true, 'its key "k" is excluded from discovery'],
    [{ alg: 'RS256' }, false, 'its algorithm is RS256, not ES384'],
    [{ typ: 'other' }, false, 'its type is not JWT'],
    [{ kid: '' }, false, 'it names no key'],
    [{ crit: [] }, false, 'its header has the unknown field "crit"'],
  ])('fails with the header %j', async (fields, excluded, problem) => {
    const answers = signerOf(fields, excluded);
    const client: SignerClient = {
      metadata: async () => answers.Metadata(),
      fetchKeys: async () => answers.FetchKeys(),
      sign: async (claims) => answers.Sign({ claims }),
      close: () => undefined,
    };
    const signer = await openExternalSigner({ client, onProblem: () => undefined });
    ends.push(signer.close);
    await expect(signer.sign({})).rejects.toThrow(`the signer's token cannot be used: ${problem}`);
  });

  it.each<[object, RegExp]>([
    [{ maxSeconds: 7200 }, /its tokens live for 3600 seconds at most, but 7200 were asked for/],
    [{ keyFiles: ['a.pem'] }, /cannot be combined with files of keys/],
  ])('is refused with %j', async (options, problem) => {
    const signingEndpoint = join(testFolder(), 'signer.sock');
    await serveSigner(signingEndpoint, signerOf());
    const opened = openServiceAccounts({ issuer, signingEndpoint, ...options }, kubernetesNaming, noKeys);
    await expect(opened).rejects.toThrow(problem);
  });

  it('is refused without its gate', async () => {
    const without = { ...noKeys, featureEnabled: () => false };
    const opened = openServiceAccounts({ issuer, signingEndpoint: 'x.sock' }, kubernetesNaming, without);
    await expect(opened).rejects.toThrow('needs the gate ExternalServiceAccountTokenSigner');
  });
});
