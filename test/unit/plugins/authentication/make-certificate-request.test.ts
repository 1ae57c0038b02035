import { createPrivateKey, createPublicKey } from 'node:crypto';
import { expect, it } from 'vitest';
import { makeCertificateRequest } from '../../../../plugins/index.js';
import { parseCertificateRequest } from '../../../../runtime/codec/certificates/certificate-request.js';

it('makes a request that its own key has signed, for a name and groups', () => {
  const { key, request } = makeCertificateRequest({ commonName: 'jane', organizations: ['dev', 'shop:admins'] });
  const read = parseCertificateRequest(Buffer.from(request));
  if (!read.ok) throw new Error(read.problem);
  expect(read.request.verify()).toBeUndefined();
  expect(read.request.subject).toEqual({ commonName: 'jane', organizations: ['dev', 'shop:admins'] });
  const own = createPublicKey(createPrivateKey(key)).export({ type: 'spki', format: 'der' });
  expect(Buffer.from(read.request.publicKey).equals(own)).toBe(true);
});

it('makes a new key each time', () => {
  const subject = { commonName: 'jane', organizations: [] };
  expect(makeCertificateRequest(subject).key).not.toBe(makeCertificateRequest(subject).key);
});
