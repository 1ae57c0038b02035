/** Asks one webhook about one request. */
import { randomUUID } from 'node:crypto';
import { encodeJson } from '../../../runtime/codec/json.js';
import type { AdmissionContext, Failure } from '../../../runtime/contract/index.js';
import { badRequest, internalFailure, timeout } from '../../../runtime/objects/status.js';
import type { Question } from './asking.js';
import { type ReadReview, type ReviewAnswer, readReview, reviewRequest } from './review.js';
import type { Webhook } from './webhook.js';

/** The problem with an answer that its plugin cannot use. */
export type CheckAnswer = (answer: ReviewAnswer) => string | undefined;

/**
 * An answer; or that there is none, which the webhook's policy for failures is about; or a failure that no policy is
 * about.
 */
export type Asked =
  | { readonly outcome: 'answered'; readonly answer: ReviewAnswer }
  | { readonly outcome: 'unanswered'; readonly problem: string /** As of HTTP. */; readonly code: number }
  | { readonly outcome: 'failed'; readonly failure: Failure };

/**
 * Warnings and notes of the answer are passed on. Never rejects, and takes no longer than the webhook and the request
 * may.
 */
export async function askWebhook(question: Question, check: CheckAnswer): Promise<Asked> {
  const { webhook, attributes, context } = question;
  const { name, allowsDryRun } = webhook.spec;
  if (attributes.dryRun && !allowsDryRun) {
    const why = `admission webhook ${JSON.stringify(name)} does not support dry run`;
    return { outcome: 'failed', failure: badRequest(why) };
  }
  const read = await review(question);
  if (!read.ok) return { outcome: 'unanswered', problem: read.problem, code: read.code ?? unavailable };
  const { answer } = read;
  // Answers of the older version may leave out the type of a patch.
  const problem = webhook.spec.review === 'v1' ? check(answer) : undefined;
  if (problem !== undefined) return { outcome: 'unanswered', problem, code: unavailable };
  for (const [key, value] of answer.auditAnnotations) if (isNoteKey(key)) context.annotate(`${name}/${key}`, value);
  for (const warning of answer.warnings) if (warning !== '') context.warn(warning);
  return { outcome: 'answered', answer };
}

/** The codes of failures that HTTP has none for. */
const [unusable, unavailable] = [400, 503];

type Reviewed =
  | Extract<ReadReview, { readonly ok: true }>
  | { readonly ok: false; readonly problem: string; readonly code?: number | undefined };

async function review({ webhook, attributes, context, resource, seen, settings }: Question): Promise<Reviewed> {
  const { review: version, timeoutMs } = webhook.spec;
  if (version === undefined) {
    const why = 'webhook does not accept known AdmissionReview versions (v1, v1beta1)';
    return { ok: false, problem: `could not create admission objects: ${why}`, code: unusable };
  }
  const uid = randomUUID();
  const apiVersion = `${settings.group}/${version}`;
  const request = reviewRequest(uid, attributes, resource, seen);
  const body = encodeJson({ kind: 'AdmissionReview', apiVersion, request });
  const left = Math.max(1, Math.min(timeoutMs, context.timeLeft?.() ?? timeoutMs));
  const service = (namespace: string, name: string) => context.get('', 'services', namespace, name);
  const answer = await webhook.post({ body, timeoutMs: left, service });
  if (answer.ok) return readReview(answer.text, apiVersion, uid);
  const { problem, code, isUnusable } = answer;
  return isUnusable
    ? { ok: false, problem, code: unusable }
    : { ok: false, problem: `failed to call webhook: ${problem}`, code };
}

/** Keys of notes are qualified names whose first part is the webhook's. */
const isNoteKey = (key: string): boolean => /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(key);

/** The refusal where a webhook that must not fail has not answered. */
export const unanswered = (webhook: Webhook, problem: string): Failure =>
  internalFailure(`failed calling webhook ${JSON.stringify(webhook.spec.name)}: ${problem}`);

/** The refusal where the time of the request is over, so that it makes no difference that a webhook may fail. */
export function overdue(context: AdmissionContext): Failure | undefined {
  const left = context.timeLeft?.();
  return left !== undefined && left <= 0 ? timeout('request did not complete within the allotted time') : undefined;
}
