/** Asks the validating webhooks about a request, all at once. */
import type { AdmissionAttributes, AdmissionContext, Failure } from '../../../runtime/contract/index.js';
import { nextTurn } from '../../../runtime/objects/turns.js';
import { type Asked, askWebhook, overdue, unanswered } from './ask.js';
import type { AskSettings, Question } from './asking.js';
import { denial } from './denial.js';
import { failedOpenNote } from './notes.js';
import { questionFor } from './question.js';
import type { ReviewAnswer } from './review.js';
import { tellOf } from './tell.js';
import type { CandidateWebhook } from './webhook-set.js';

/** Webhooks that are asked before others have their turn: each is told the whole object. */
const askedInTurn = 20;

/** Resolves to the refusal of the first webhook, in their order, that refuses, once all have answered. */
export async function askAll(
  candidates: readonly CandidateWebhook[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  settings: AskSettings,
): Promise<Failure | undefined> {
  const asked: Promise<Failure | undefined>[] = [];
  for (const candidate of candidates) {
    if (asked.length % askedInTurn === askedInTurn - 1) await nextTurn();
    const refusal = ask(candidate, attributes, context, settings);
    // Whoever waits for all of them hears of an error, which may come before the last is asked.
    refusal.catch(() => {});
    asked.push(refusal);
  }
  const refusals = await Promise.all(asked);
  return refusals.find((refusal) => refusal !== undefined);
}

async function ask(
  candidate: CandidateWebhook,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  settings: AskSettings,
): Promise<Failure | undefined> {
  const question = await questionFor(candidate, attributes, context, settings);
  if (!question.ok) return question.failure;
  if (!question.value) return undefined;
  const unconfirmed = await context.confirm?.();
  if (unconfirmed) return unconfirmed;
  const began = performance.now();
  const asked = await askWebhook(question.value, patchProblem);
  const refused = refusalBy(question.value, asked);
  tellOf(question.value, asked, refused, began);
  return refused;
}

function refusalBy({ webhook, context, settings }: Question, asked: Asked): Failure | undefined {
  if (asked.outcome === 'failed') return asked.failure;
  if (asked.outcome === 'answered') {
    return asked.answer.allowed ? undefined : denial(webhook.spec.name, asked.answer.status);
  }
  if (!webhook.spec.ignoresFailures) return unanswered(webhook, asked.problem);
  context.annotate(...failedOpenNote('validating', settings.group, webhook, 0));
  return overdue(context);
}

function patchProblem({ patch, patchType }: ReviewAnswer): string | undefined {
  const may = 'received invalid webhook response: validating webhook may not return';
  if (patch !== '') return `${may} response.patch`;
  return patchType === undefined ? undefined : `${may} response.patchType`;
}
