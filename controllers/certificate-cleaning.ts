/** Deletes certificate requests that are no longer needed: old requests, and requests with an expired certificate. */
import { X509Certificate } from 'node:crypto';
import { createResourceClient } from '../client/index.js';
import { type CertificateSigningRequest, conditionsOf, requestsIn } from './certificate-requests.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

const hourMs = 3_600_000;
/** How long a decided request stays after its last change of state, milliseconds. */
const decidedMs = hourMs;
const pendingMs = 24 * hourMs;

/** Defines the controller, for servers with certificate signing requests. `group` is their group as it is served. */
export function defineCertificateCleaning(group: string): Controller {
  const resource = requestsIn(group);
  return defineController({
    name: 'csrcleaner',
    watches: [watch(resource)],
    async reconcile(key, { client, cacheOf, queue, clock, signal }) {
      const request = cacheOf(resource).get(key);
      if (request === undefined) return;
      const leftMs = endOf(request) - clock.wallMs();
      if (leftMs > 0) {
        queue.addAfter(key, leftMs);
        return;
      }
      // If the request changes first, the delete fails, and the change queues the request again.
      const { uid, resourceVersion } = request.metadata;
      const preconditions = { uid, resourceVersion };
      await createResourceClient(resource, client).delete(key, { preconditions, signal }).catch(ignoreNotFound);
    },
  });
}

/** Returns when a request is no longer needed, milliseconds since 1970. */
const endOf = (request: CertificateSigningRequest): number => Math.min(endOfState(request), endOfCertificate(request));

function endOfState(request: CertificateSigningRequest): number {
  const conditions = conditionsOf(request);
  const created = timeOf(request.metadata.creationTimestamp);
  if (conditions.length === 0) return created + pendingMs;
  const times = conditions.flatMap((one) => [timeOf(one.lastUpdateTime), timeOf(one.lastTransitionTime)]);
  return Math.max(created, ...times) + decidedMs;
}

const timeOf = (text = ''): number => Date.parse(text) || 0;

/** Returns when the certificate expires. A signer may have stored something else, without an expiry. */
function endOfCertificate({ status: { certificate = '' } = {} }: CertificateSigningRequest): number {
  if (certificate === '') return Number.POSITIVE_INFINITY;
  try {
    return Date.parse(new X509Certificate(Buffer.from(certificate, 'base64')).validTo);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
