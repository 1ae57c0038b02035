/** Asks one webhook about one request, and reports the result. */
import { randomUUID } from 'node:crypto';
import { decodeJson, encodeJson } from '../../../runtime/codec/json.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionStep,
  Failure,
  JsonObject,
  Result,
  WebhookDecision,
} from '../../../runtime/contract/index.js';
import { badRequest, internalFailure, timeout } from '../../../runtime/objects/status.js';
import { seenAs } from '../shared/admission-request.js';
import { type ClassMatch, matchRequest, whyNot } from '../shared/matching.js';
import { type ReadReview, type ReviewAnswer, readReview, reviewRequest } from './review.js';
import type { AskSettings, Question, Webhook, WebhookSpec } from './webhook.js';
import type { CandidateWebhook } from './webhook-set.js';

/** Returns why the plugin cannot use an answer, or `undefined` if it can. */
export type CheckAnswer = (answer: ReviewAnswer) => string | undefined;

/**
 * An answer; a failure that the webhook's failure policy decides about; or a failure that refuses the request in any
 * case.
 */
export type Asked =
  | { readonly outcome: 'answered'; readonly answer: ReviewAnswer }
  | { readonly outcome: 'unanswered'; readonly problem: string /** HTTP code. */; readonly code: number }
  | { readonly outcome: 'failed'; readonly failure: Failure };

/**
 * Asks the webhook. Passes on the warnings and audit annotations of its answer. Never rejects, and takes no longer than
 * the webhook's timeout and the time of the request allow.
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
  // Answers of v1beta1 may omit the patch type.
  const problem = webhook.spec.review === 'v1' ? check(answer) : undefined;
  if (problem !== undefined) return { outcome: 'unanswered', problem, code: unavailable };
  for (const [key, value] of answer.auditAnnotations) if (isNoteKey(key)) context.annotate(`${name}/${key}`, value);
  for (const warning of answer.warnings) if (warning !== '') context.warn(warning);
  return { outcome: 'answered', answer };
}

/** The code of a webhook that cannot be reached, or has no usable answer. */
export const unavailable = 503;

/** The code of other failures without a code of their own. */
const unusable = 400;

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
  const body = (): string => {
    const request = reviewRequest(uid, attributes, resource, seen, settings.unsetTimes);
    return encodeJson({ kind: 'AdmissionReview', apiVersion, request });
  };
  const left = Math.max(1, Math.min(timeoutMs, context.timeLeft?.() ?? timeoutMs));
  const service = (namespace: string, name: string) => context.get('', 'services', namespace, name);
  const answer = await webhook.post({ body, timeoutMs: left, isShortened: left < timeoutMs, service });
  if (answer.ok) return readReview(answer.text, apiVersion, uid);
  const { problem, code, isUnusable } = answer;
  return isUnusable
    ? { ok: false, problem, code: unusable }
    : { ok: false, problem: `failed to call webhook: ${problem}`, code };
}

/** Returns whether a key of an audit annotation is a qualified name after the webhook's prefix. */
const isNoteKey = (key: string): boolean => /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/.test(key);

/** Returns the refusal for a failed webhook if its failures are not ignored. */
export const unanswered = (webhook: Webhook, problem: string): Failure =>
  internalFailure(`failed calling webhook ${JSON.stringify(webhook.spec.name)}: ${problem}`);

/** Returns the refusal if the time of the request is over, even if the webhook's failures are ignored. */
export function overdue(context: AdmissionContext): Failure | undefined {
  const left = context.timeLeft?.();
  return left !== undefined && left <= 0 ? timeout('request did not complete within the allotted time') : undefined;
}

const stepOf = ({ name, configuration }: WebhookSpec, { step }: AskSettings) =>
  ({ kind: 'webhook', name, of: configuration, step }) as const;

/** Reports a webhook that does not apply to the request. `match` is `undefined` if none of its rules matches. */
export function explainNotAsked(
  spec: WebhookSpec,
  settings: AskSettings,
  match: ClassMatch | undefined,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): void {
  if (!context.explain) return;
  const message = match ? whyNot(match, attributes, context) : 'its rules do not match the request';
  context.explain({
    ...stepOf(spec, settings),
    outcome: 'not asked',
    message: message ?? 'its match conditions are false',
  });
}

/** Reports a webhook that was asked. `refused` is the failure that ends the write, if any. */
export function explainAsked(question: Question, asked: Asked, refused: Failure | undefined, began: number): void {
  const { webhook, attributes, context, resource, seen, settings } = question;
  if (!context.explain) return;
  context.explain({
    ...stepOf(webhook.spec, settings),
    ...outcomeOf(asked, refused, webhook.spec.ignoresFailures),
    milliseconds: performance.now() - began,
    request: reviewRequest('', attributes, resource, seen, settings.unsetTimes),
  });
}

function outcomeOf(
  asked: Asked,
  refused: Failure | undefined,
  ignoresFailures: boolean,
): Pick<AdmissionStep, 'outcome' | 'message' | 'patch' | 'warnings'> {
  if (asked.outcome === 'unanswered') {
    return { outcome: ignoresFailures ? 'passed over' : 'unanswered', message: asked.problem };
  }
  const answer = asked.outcome === 'answered' ? asked.answer : undefined;
  const more: JsonObject = {};
  const patch = answer?.patch ? decodeJson(answer.patch) : undefined;
  if (patch?.ok) more.patch = patch.value;
  if (answer && answer.warnings.length > 0) more.warnings = [...answer.warnings];
  if (refused) return { ...more, outcome: 'denied', message: refused.message };
  return { ...more, outcome: patch ? 'changed' : 'admitted' };
}

/**
 * Returns the question for a webhook, `undefined` if the webhook does not apply, or a failure if that cannot be
 * decided.
 */
export async function questionFor(
  { webhook, match }: CandidateWebhook,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  settings: AskSettings,
): Promise<Result<Question | undefined>> {
  const matched = matchRequest(match, attributes, context);
  if (!matched.ok) return matched;
  const resource = matched.value;
  const notAsked = (): Result<undefined> => {
    explainNotAsked(webhook.spec, settings, match, attributes, context);
    return { ok: true, value: undefined };
  };
  if (!resource) return notAsked();
  const seen = await seenAs(resource, attributes, context);
  if (!seen.ok) return seen;
  const met = await webhook.conditions.areMet(attributes, seen.value, context, (mistakes) =>
    settings.observer?.conditionsFailed({ name: webhook.spec.name, kind: settings.step }, mistakes),
  );
  if (!met.ok) return met;
  if (!met.value) return notAsked();
  return { ok: true, value: { webhook, attributes, context, resource, seen: seen.value, settings } };
}

/** Returns the key of an audit annotation about a webhook in a round. */
const noteKey = (about: string, group: string, { index }: Webhook, round: 0 | 1): string =>
  `${about}.webhook.${group}/round_${round}_index_${index}`;

/** Annotates that a webhook was asked, and whether it changed the object. */
export function mutationNote(
  group: string,
  webhook: Webhook,
  round: 0 | 1,
  mutated: boolean,
): readonly [key: string, value: string] {
  const { configuration, name } = webhook.spec;
  return [noteKey('mutation', group, webhook, round), JSON.stringify({ configuration, webhook: name, mutated })];
}

/** Annotates that a webhook failed and the request went on. */
export const failedOpenNote = (
  step: 'mutation' | 'validating',
  group: string,
  webhook: Webhook,
  round: 0 | 1,
): readonly [key: string, value: string] => [noteKey(`failed-open.${step}`, group, webhook, round), webhook.spec.name];

type Came = Pick<WebhookDecision, 'outcome' | 'code'>;

/**
 * Reports an asked webhook to metrics and explanations. `refused` is the failure that ends the write, if any; `began`
 * is the start on the performance clock.
 */
export function observeAsked(question: Question, asked: Asked, refused: Failure | undefined, began: number): void {
  explainAsked(question, asked, refused, began);
  const { webhook, attributes, settings } = question;
  const { name, ignoresFailures } = webhook.spec;
  const { step, observer } = settings;
  const seconds = (performance.now() - began) / 1000;
  observer?.webhookAsked(
    { name, step, operation: attributes.operation, ...observedOutcome(asked, refused, ignoresFailures) },
    seconds,
  );
}

function observedOutcome(asked: Asked, refused: Failure | undefined, ignoresFailures: boolean): Came {
  if (asked.outcome === 'unanswered') {
    return { outcome: ignoresFailures ? 'passed over' : 'unanswered', code: asked.code };
  }
  if (refused === undefined) return { outcome: 'admitted', code: 200 };
  const isDenied = asked.outcome === 'answered' && !asked.answer.allowed;
  return isDenied ? { outcome: 'denied', code: refused.code ?? 400 } : { outcome: 'unusable', code: 0 };
}
