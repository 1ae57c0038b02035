/** ImagePolicyWebhook: a webhook decides whether the images of pods may run. */
import { createHash } from 'node:crypto';
import { encodeJson } from '../../../runtime/codec/json.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  Failure,
} from '../../../runtime/contract/index.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import type { PostReview } from '../../webhook/post-review.js';
import { TimedCache } from '../../webhook/timed-cache.js';
import { defineAdmissionPlugin } from '../define-admission-plugin.js';
import { refuse } from '../refuse.js';
import type { WebhookCalls } from '../webhooks/calls.js';
import { imagePolicyConfiguration } from './configuration.js';
import { type ImageOpinion, imagesOf, type ReadOpinion, readOpinion } from './review.js';

/** `clock` tells milliseconds. */
export function defineImagePolicyWebhook(
  { rename }: Naming,
  calls: Pick<WebhookCalls, 'connect' | 'checkConnection'>,
  clock: () => number = () => performance.now(),
): AdmissionPlugin {
  const apiVersion = `${rename('imagepolicy.platform.io')}/v1alpha1`;
  const part = `.${rename('image-policy.platform.io')}/`;
  const noteKey = (key: string): string => `imagepolicywebhook${part}${key}`;
  const cache = new TimedCache<ImageOpinion>(clock);
  let decide: (attributes: AdmissionAttributes, context: AdmissionContext) => Promise<Failure | undefined>;
  return defineAdmissionPlugin({
    name: 'ImagePolicyWebhook',
    configuration: imagePolicyConfiguration(calls),
    start(_host, { imagePolicy: { kubeConfigFile, allowTTL, denyTTL, retryBackoff, defaultAllow } }) {
      const post = calls.connect(kubeConfigFile, retryBackoff);

      async function opinionOn(attributes: AdmissionAttributes, context: AdmissionContext): Promise<ReadOpinion> {
        const body = encodeJson({ apiVersion, kind: 'ImageReview', spec: imagesOf(attributes, part) });
        // Users choose how long annotations are, so that opinions are kept by hashes.
        const key = createHash('sha256').update(body).digest('base64');
        const kept = cache.get(key);
        if (kept) return { ok: true, opinion: kept };
        const answer = await withinTime(post(body), context);
        const read = answer.ok ? readOpinion(answer.text, apiVersion) : answer;
        if (read.ok) cache.set(key, read.opinion, (read.opinion.allowed ? allowTTL : denyTTL) * 1000);
        return read;
      }

      decide = async (attributes, context) => {
        const read = await opinionOn(attributes, context);
        if (!read.ok) {
          if (!defaultAllow) return refuse(attributes, read.problem);
          context.annotate(noteKey('failed-open'), 'true');
          return undefined;
        }
        const { allowed, reason, auditAnnotations } = read.opinion;
        for (const [key, value] of Object.entries(auditAnnotations)) context.annotate(noteKey(key), value);
        if (allowed) return undefined;
        const denied = 'image policy webhook backend denied one or more images';
        return refuse(
          attributes,
          reason === '' ? 'one or more images rejected by webhook backend' : `${denied}: ${reason}`,
        );
      };
    },
    handles: ({ group, names }, operation, subresource) =>
      group === '' &&
      names.plural === 'pods' &&
      (operation === 'CREATE' || operation === 'UPDATE') &&
      (subresource === '' || subresource === 'ephemeralcontainers'),
    validate: (attributes, context) => decide(attributes, context),
  });
}

/** An answer that comes too late for the request is none. */
async function withinTime(asked: ReturnType<PostReview>, context: AdmissionContext): ReturnType<PostReview> {
  const left = context.timeLeft?.() ?? Number.POSITIVE_INFINITY;
  if (!Number.isFinite(left)) return asked;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Awaited<ReturnType<PostReview>>>((resolve) => {
    const problem = 'context deadline exceeded';
    timer = setTimeout(() => resolve({ ok: false, problem }), Math.max(0, left));
  });
  const answer = await Promise.race([asked, late]);
  clearTimeout(timer);
  return answer;
}
