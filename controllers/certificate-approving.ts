/** Approves client certificate requests of nodes' agents, if the requester may obtain them. */
import { type ApiObjectLike, type ClientOptions, createResourceClient, defineResource } from '../client/index.js';
import {
  type CertificateSigningRequest,
  conditionsOf,
  isIssued,
  isTrue,
  type RequestSpec,
  requestsIn,
} from './certificate-requests.js';
import type { Controller } from './controller.js';
import { defineController } from './kit/define-controller.js';
import { ignoreNotFound } from './kit/ignore-not-found.js';
import { watch } from './kit/watch.js';

export interface ApprovingOptions {
  /** The group of requests, as it is served. */
  readonly group: string;
  /** The group of access reviews, as it is served. */
  readonly authorizationGroup: string;
  /** Returns the node's name if its agent made the request; `undefined` for other requests. */
  readonly agentNameOf: (spec: RequestSpec) => string | undefined;
}

interface Review extends ApiObjectLike {
  spec?: object;
  status?: { allowed?: boolean };
}

/** The longest time until the rights of a refused requester are checked again, milliseconds. */
const longestPauseMs = 1_000_000;
const shortestPauseMs = 1000;

/** Defines the controller, for servers with certificate signing requests and access reviews. */
export function defineCertificateApproving(options: ApprovingOptions): Controller {
  const resource = requestsIn(options.group);
  return defineController({
    name: 'csrapproving',
    watches: [watch(resource)],
    async reconcile(key, { client, cacheOf, queue, clock, signal }) {
      const request = cacheOf(resource).get(key);
      if (request?.spec === undefined || isIssued(request) || isTrue(request, 'Approved') || isTrue(request, 'Denied'))
        return;
      const granted = await grantedBy(request.spec, options, client, signal);
      if (granted === 'none') return;
      if (granted !== undefined) {
        const approved = withApproval(request, granted);
        const requests = createResourceClient(resource, client).subresource('approval');
        await requests.update(approved, { signal }).catch(ignoreNotFound);
        return;
      }
      // The right may be granted later. Young requests are checked more often.
      const ageMs = clock.wallMs() - Date.parse(request.metadata.creationTimestamp ?? '');
      queue.addAfter(key, Math.min(Math.max(ageMs || 0, shortestPauseMs), longestPauseMs));
    },
  });
}

type Right = 'selfnodeclient' | 'nodeclient';

/** Returns the right by which the requester may obtain the certificate; `none` if an agent did not make the request. */
async function grantedBy(
  spec: RequestSpec,
  { group, authorizationGroup, agentNameOf }: ApprovingOptions,
  client: ClientOptions,
  signal: AbortSignal,
): Promise<Right | 'none' | undefined> {
  const agent = agentNameOf(spec);
  if (agent === undefined) return 'none';
  const reviews = createResourceClient(reviewsIn(authorizationGroup), client);
  const { username: user, uid, groups, extra } = spec;
  // An agent with a certificate requests the next one itself.
  const rights: readonly Right[] = user === agent ? ['selfnodeclient', 'nodeclient'] : ['nodeclient'];
  for (const subresource of rights) {
    const resourceAttributes = {
      group,
      version: '*',
      resource: 'certificatesigningrequests',
      subresource,
      verb: 'create',
    };
    const { status } = await reviews.create(
      { metadata: {}, spec: { user, uid, groups, extra, resourceAttributes } },
      { signal },
    );
    if (status?.allowed === true) return subresource;
  }
  return undefined;
}

const reviewsIn = (group: string) =>
  defineResource<Review>()({
    group,
    version: 'v1',
    plural: 'subjectaccessreviews',
    kind: 'SubjectAccessReview',
    scope: 'Cluster',
    subresources: [],
  } as const);

function withApproval(request: CertificateSigningRequest, right: Right): CertificateSigningRequest {
  const whose = right === 'selfnodeclient' ? 'self kubelet' : 'kubelet';
  const condition = {
    type: 'Approved',
    status: 'True',
    reason: 'AutoApproved',
    message: `Auto approving ${whose} client certificate after SubjectAccessReview.`,
  };
  return { ...request, status: { ...request.status, conditions: [...conditionsOf(request), condition] } };
}
