/** Signs approved certificate requests for the built-in signers. */
import { createResourceClient } from '../client/index.js';
import { isIssued, isTrue, type RequestSpec, requestsIn } from './certificate-requests.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

/**
 * Signs a request. `now` is milliseconds since 1970. Returns the certificate in PEM, or why the request was not signed.
 */
export type SignRequest = (
  spec: RequestSpec,
  now: number,
) => { readonly ok: true; readonly certificate: string } | { readonly ok: false; readonly problem: string };

export interface SigningOptions {
  /** The group of requests, as it is served. */
  readonly group: string;
  /** By signer name. Requests for other signers are ignored. */
  readonly signers: ReadonlyMap<string, SignRequest>;
}

/** Defines the controller, for servers with certificate signing requests. */
export function defineCertificateSigner({ group, signers }: SigningOptions): Controller {
  const resource = requestsIn(group);
  return defineController({
    name: 'csrsigning',
    watches: [watch(resource)],
    workers: 5,
    async reconcile(key, { client, cacheOf, clock, onError, signal }) {
      const request = cacheOf(resource).get(key);
      if (request?.spec === undefined || isIssued(request) || !isTrue(request, 'Approved') || isTrue(request, 'Failed'))
        return;
      const sign = signers.get(request.spec.signerName ?? '');
      if (sign === undefined) return;
      const result = sign(request.spec, clock.wallMs());
      if (!result.ok) {
        // The spec never changes, so a retry would not help. Only logs the error.
        onError(key, `not signed: ${result.problem}`);
        return;
      }
      const certificate = Buffer.from(result.certificate).toString('base64');
      await createResourceClient(resource, client)
        .subresource('status')
        .update({ ...request, status: { ...request.status, certificate } }, { signal })
        .catch(ignoreNotFound);
    },
  });
}
