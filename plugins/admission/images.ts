/**
 * Plugins about the images of pods: ImagePolicyWebhook asks a webhook whether they may run, AlwaysPullImages makes
 * nodes pull them each time.
 */
import { createHash } from 'node:crypto';
import { encodeJson } from '../../runtime/codec/json.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  Failure,
  JsonObject,
} from '../../runtime/contract/index.js';
import { fieldErrorText, joinErrors, notSupported } from '../../runtime/objects/field-error.js';
import { isStringMap, objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { answerCache, type PostReview, readStatus } from '../webhook.js';
import { checked, fields, optional, type Schema, text, truth, whole } from './configuration.js';
import {
  type ConfigurationDefinition,
  defineAdmissionPlugin,
  handlesObjects,
  refuse,
} from './define-admission-plugin.js';
import { itemsAt } from './shared/matching.js';
import type { WebhookCalls } from './webhooks/calls.js';

/** Creates ImagePolicyWebhook. `clock` returns milliseconds. */
export function defineImagePolicyWebhook(
  { rename }: Naming,
  calls: Pick<WebhookCalls, 'connect' | 'checkConnection'>,
  clock: () => number = () => performance.now(),
): AdmissionPlugin {
  const apiVersion = `${rename('imagepolicy.platform.io')}/v1alpha1`;
  const part = `.${rename('image-policy.platform.io')}/`;
  const noteKey = (key: string): string => `imagepolicywebhook${part}${key}`;
  const cache = answerCache<ImageOpinion>(8192, clock);
  let decide: (attributes: AdmissionAttributes, context: AdmissionContext) => Promise<Failure | undefined>;
  return defineAdmissionPlugin({
    name: 'ImagePolicyWebhook',
    configuration: imagePolicyConfiguration(calls),
    start(_host, { imagePolicy: { kubeConfigFile, allowTTL, denyTTL, retryBackoff, defaultAllow } }) {
      const post = calls.connect(kubeConfigFile, retryBackoff);

      async function opinionOn(attributes: AdmissionAttributes, context: AdmissionContext): Promise<ReadOpinion> {
        const body = encodeJson({ apiVersion, kind: 'ImageReview', spec: imagesOf(attributes, part) });
        // Users choose how long annotations are, so the key is a hash.
        const key = createHash('sha256').update(body).digest('base64');
        const kept = cache.get(key);
        if (kept) return { ok: true, opinion: kept };
        const answer = await withinTime(post(body), context);
        const read = answer.ok ? readOpinion(answer.text, apiVersion) : answer;
        if (!read.ok) return read;
        const ttl = (read.opinion.allowed ? allowTTL : denyTTL) * 1000;
        if (ttl > 0) cache.set(key, read.opinion, { ttl });
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

/** Waits for an answer, but not longer than the request may take. */
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

/** Returns the images, and the pod's annotations for the webhook: their keys contain `part`. */
function imagesOf({ object, namespace, subresource }: AdmissionAttributes, part: string): JsonObject {
  const spec = objectAt(object, 'spec');
  const lists = subresource === 'ephemeralcontainers' ? ['ephemeralContainers'] : ['containers', 'initContainers'];
  const containers = lists.flatMap((list) => itemsAt(spec, list)).map((one) => ({ image: stringAt(one, 'image') }));
  const annotations = Object.entries(object?.metadata.annotations ?? {}).filter(([key]) => key.includes(part));
  return {
    containers,
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    namespace,
  };
}

interface ImageOpinion {
  readonly allowed: boolean;
  /** Empty if the webhook gives none. */
  readonly reason: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

type ReadOpinion =
  | { readonly ok: true; readonly opinion: ImageOpinion }
  | { readonly ok: false; readonly problem: string };

function readOpinion(answer: string, apiVersion: string): ReadOpinion {
  const read = readStatus(answer, 'ImageReview', apiVersion);
  if (!read.ok) return read;
  const { status } = read;
  const notes = status?.auditAnnotations;
  return {
    ok: true,
    opinion: {
      allowed: status?.allowed === true,
      reason: stringAt(status, 'reason'),
      auditAnnotations: isStringMap(notes) ? notes : {},
    },
  };
}

interface ImagePolicyConfiguration {
  readonly imagePolicy: {
    /** Path of a kubeconfig with the webhook's address, its authority and this server's credentials. */
    readonly kubeConfigFile: string;
    /** Seconds for which an admission is cached. */
    readonly allowTTL: number;
    /** Seconds for which a denial is cached. */
    readonly denyTTL: number;
    /** Milliseconds before a failed call is retried. */
    readonly retryBackoff: number;
    /** Whether pods are admitted if the webhook fails. */
    readonly defaultAllow: boolean;
  };
}

const mostSeconds = 30 * 60;
const mostBackoffMs = 5 * 60 * 1000;

/** Reads a time: 0 means the default, -1 means no time at all. */
function time(most: number, usual: number): Schema<number> {
  const given = optional(whole({ least: -1, most }), 0);
  return (value, path, refuse) => {
    const read = given(value, path, refuse);
    return read && { value: read.value === 0 ? usual : Math.max(0, read.value) };
  };
}

/** Defines the configuration. Its format has neither `apiVersion` nor `kind`. */
function imagePolicyConfiguration({
  checkConnection,
}: Pick<WebhookCalls, 'checkConnection'>): ConfigurationDefinition<ImagePolicyConfiguration> {
  const file = checked(text, (path, at, refuse) => {
    const problem = checkConnection(path);
    if (problem !== undefined) refuse(at, `${path} cannot be used: ${problem}`);
  });
  return {
    apiVersions: [],
    required: true,
    schema: fields({
      imagePolicy: fields({
        kubeConfigFile: file,
        allowTTL: time(mostSeconds, 5 * 60),
        denyTTL: time(mostSeconds, 30),
        retryBackoff: time(mostBackoffMs, 500),
        defaultAllow: optional(truth, false),
      }),
    }),
  };
}

const policy = 'Always';
const lists = ['initContainers', 'containers', 'ephemeralContainers'];

export function defineAlwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    handles: handlesObjects('', 'pods', 'CREATE', 'UPDATE'),
    admit(attributes) {
      if (!hasNewImage(attributes)) return undefined;
      const spec = objectAt(attributes.object, 'spec');
      for (const list of lists) {
        for (const container of objectsAt(spec, list)) container.imagePullPolicy = policy;
      }
      return undefined;
    },
    // Checks again, because later plugins may have changed the pod.
    validate(attributes) {
      if (!hasNewImage(attributes)) return undefined;
      const spec = objectAt(attributes.object, 'spec');
      const errors = lists.flatMap((list) =>
        objectsAt(spec, list).flatMap((container, i) => {
          const used = stringAt(container, 'imagePullPolicy');
          const path = `spec.${list}[${i}].imagePullPolicy`;
          return used === policy ? [] : [notSupported(path, used, [policy])];
        }),
      );
      return errors.length === 0 ? undefined : refuse(attributes, joinErrors(errors.map(fieldErrorText)));
    },
  };
}

/**
 * Returns whether a write adds an image. Updates without a new image change nothing, because running containers are not
 * pulled again.
 */
function hasNewImage({ operation, object, oldObject }: AdmissionAttributes): boolean {
  if (operation === 'CREATE') return true;
  const old = new Set(imagesIn(oldObject));
  return imagesIn(object).some((image) => !old.has(image));
}

const imagesIn = (pod: JsonObject | undefined): readonly string[] =>
  lists.flatMap((list) => objectsAt(objectAt(pod, 'spec'), list)).map((container) => stringAt(container, 'image'));
