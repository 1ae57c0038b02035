/** Makes the credential of a user: a certificate that the server's own signer signs, or a token. */
import { randomBytes, X509Certificate } from 'node:crypto';
import { createResourceClient, until, WaitTimeoutError } from '../../client/index.js';
import { conditionsOf, isIssued, isTrue, requestsIn } from '../../controllers/certificate-requests.js';
import {
  type CredentialKind,
  credentialId,
  makeCertificateRequest,
  secretNameOf,
  userTokenOf,
} from '../../plugins/index.js';
import { type People, refused, type UserResult } from './people.js';

/** The user that a credential is for. */
export interface CredentialWish {
  readonly name: string;
  readonly groups: readonly string[];
  readonly kind: CredentialKind;
  /** The lifetime of the credential, milliseconds. */
  readonly lifeMs: number;
}

/** A credential, and the facts about it for the record. Certificate and key are PEM. */
export interface MadeCredential {
  readonly shown: { readonly token: string } | { readonly cert: string; readonly key: string };
  readonly id: string;
  readonly created: string;
  readonly expires: string;
}

/** Makes the credential. Rejects as requests do. */
export async function makeCredential(
  people: People,
  wish: CredentialWish,
  waitMs = 30_000,
): Promise<UserResult<MadeCredential>> {
  const created = toSecond(Date.now());
  if (wish.kind === 'token') {
    const token = userTokenOf(randomBytes(32));
    const expires = toSecond(Date.now() + wish.lifeMs);
    return { ok: true, value: { shown: { token }, id: credentialId(token), created, expires } };
  }
  const { key, request } = makeCertificateRequest({ commonName: wish.name, organizations: wish.groups });
  const signed = await sign(people, wish, request, waitMs);
  if (!signed.ok) return signed;
  const certificate = new X509Certificate(signed.value);
  return {
    ok: true,
    value: {
      shown: { cert: signed.value, key },
      id: credentialId(certificate.raw),
      created,
      expires: toSecond(Date.parse(certificate.validTo)),
    },
  };
}

/** Formats a time without milliseconds (RFC 3339). */
export const toSecond = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** Gets a request signed, and returns the certificate in PEM. */
async function sign(
  { client, naming }: People,
  { name, lifeMs }: CredentialWish,
  request: string,
  waitMs: number,
): Promise<UserResult<string>> {
  const requests = createResourceClient(requestsIn(naming.rename('certificates.platform.io')), client);
  const requestName = `${secretNameOf(name)}-${randomBytes(4).toString('hex')}`;
  const made = await requests.create({
    metadata: { name: requestName },
    spec: {
      request: Buffer.from(request).toString('base64'),
      signerName: naming.signers.apiserverClient,
      usages: ['client auth'],
      expirationSeconds: Math.min(Math.round(lifeMs / 1000), 2 ** 31 - 1),
    },
  });
  const now = toSecond(Date.now());
  const approved = {
    type: 'Approved',
    status: 'True',
    reason: 'UserCreated',
    message: 'approved by kindforge user create',
    lastUpdateTime: now,
  };
  await requests
    .subresource('approval')
    .update({ ...made, status: { ...made.status, conditions: [...conditionsOf(made), approved] } });
  try {
    const done = await until(requests, requestName, (one) => isIssued(one) || isTrue(one, 'Failed'), {
      timeoutMs: waitMs,
    });
    if (isIssued(done)) return { ok: true, value: Buffer.from(done.status?.certificate ?? '', 'base64').toString() };
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) throw error;
  }
  return refused(
    'NotSigned',
    `the certificate request ${requestName} is approved, but the server did not sign it within ${waitMs / 1000} s`,
    'Does the server run the controller csrsigning? Its log says why it does not sign; --token gives a token instead',
  );
}
