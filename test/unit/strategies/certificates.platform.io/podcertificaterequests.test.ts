import { createPublicKey, generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject } from '../../../../runtime/contract/index.js';
import { fieldErrorText } from '../../../../runtime/objects/field-error.js';
import { kubernetesNaming } from '../../../../runtime/objects/names/naming.js';
import { definePodCertificateRequests } from '../../../../strategies/certificates.platform.io/podcertificaterequests.js';
import { selfSigned } from '../../../support/certificate-authority.js';
import { changeErrorsOf } from '../../../support/field-errors.js';
import { contextOf } from '../../../support/handlers-suite.js';
import { storedLike } from '../../../support/stored-objects.js';

const handlers = definePodCertificateRequests(kubernetesNaming);

const problemsOf = (spec: JsonObject): readonly string[] =>
  (handlers.validateCreate?.(storedLike(handlers, { spec }), contextOf()) ?? []).map(fieldErrorText);

/** Returns the fields of a request with a new key. */
function keyOf(type: 'ec' | 'rsa', option: string | number): JsonObject {
  const { publicKey, privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: String(option) })
      : generateKeyPairSync('rsa', { modulusLength: Number(option) });
  return {
    pkixPublicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    proofOfPossession: sign('sha256', Buffer.from('p-1'), privateKey).toString('base64'),
  };
}

describe('a new request', () => {
  it.each<[JsonObject, string[]]>([
    [{}, []],
    [keyOf('ec', 'P-256'), []],
    [keyOf('ec', 'secp256k1'), ['spec.pkixPublicKey: Invalid value: "curve secp256k1"']],
    [keyOf('rsa', 1024), ['spec.pkixPublicKey: Invalid value: "1024-bit modulus"']],
    [{ pkixPublicKey: 'AAAA' }, ['must be a valid PKIX-serialized public key']],
    [{ podUID: 'p-2' }, ['spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature']],
    [{ nodeUID: '' }, ['spec.nodeUID: Invalid value: "": must not be empty']],
    [{ maxExpirationSeconds: 3599 }, ['must be in the range [3600, 7862400]']],
    [{ signerName: 'kubernetes.io/x', maxExpirationSeconds: 86401 }, ['must be in the range [3600, 86400]']],
  ])('with %j', (spec, errors) => {
    const found = problemsOf(spec);
    expect(found.length).toBe(errors.length);
    for (const [i, error] of errors.entries()) expect(found[i]).toContain(error);
  });
});

describe('the decision of a signer', async () => {
  const from = new Date('2024-05-06T07:06:00Z');
  const until = new Date('2024-05-06T10:06:00Z');
  const { cert } = await selfSigned({ subject: 'CN=web', from, until });
  const key = createPublicKey(new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'pem' }));
  const spec = { pkixPublicKey: key.export({ type: 'spki', format: 'der' }).toString('base64') };
  const at = (time: string): string => `2024-05-06T${time}:00Z`;
  const issued = { certificateChain: cert, notBefore: at('07:06'), notAfter: at('10:06'), beginRefreshAt: at('09:00') };

  const decided = (type: string, more: JsonObject = {}, status = 'True'): ApiObject =>
    storedLike(handlers, {
      spec,
      status: { conditions: [{ type, status, reason: 'R', lastTransitionTime: at('07:07') }], ...more },
    });
  const open = storedLike(handlers, { spec });
  const errorsOf = (object: ApiObject, old = open): readonly string[] =>
    changeErrorsOf(handlers, object, old, 'status');

  it.each<[ApiObject, string | undefined]>([
    [decided('Issued', issued), undefined],
    [decided('Denied'), undefined],
    [decided('Denied', issued), 'non-condition status fields must be empty'],
    [decided('Issued'), 'must contain at least one certificate'],
    [decided('Issued', { ...issued, notAfter: at('10:07') }), 'status.notAfter: Invalid value'],
    [decided('Issued', { ...issued, beginRefreshAt: at('07:10') }), 'at least 10 minutes after status.notBefore'],
    [decided('Issued', issued, 'False'), 'supported values: "True"'],
    [decided('Other'), 'supported values: "Issued", "Denied", "Failed"'],
    [storedLike(handlers, { spec, status: { notAfter: at('10:06') } }), 'status is immutable unless transitioning'],
  ])('%#', (object, error) =>
    expect(errorsOf(object)).toEqual(error === undefined ? [] : [expect.stringContaining(error)]),
  );

  it('is for the key of the request', () => {
    const other = storedLike(handlers, { status: decided('Issued', issued).status ?? {} });
    expect(errorsOf(other)).toEqual([expect.stringContaining('was not issued to the requested public key')]);
  });

  it('is final', () =>
    expect(errorsOf(decided('Failed'), decided('Denied'))).toEqual([
      expect.stringContaining('immutable after PodCertificateRequest is issued, denied, or failed'),
    ]));
});
