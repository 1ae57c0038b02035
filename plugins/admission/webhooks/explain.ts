/** Tells of webhooks what became of them, for requests whose admission is explained. */
import { decodeJson } from '../../../runtime/codec/json.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionStep,
  Failure,
  JsonObject,
} from '../../../runtime/contract/index.js';
import type { ClassMatch } from '../matching/matching.js';
import { whyNot } from '../matching/why-not.js';
import type { Asked } from './ask.js';
import type { AskSettings, Question } from './asking.js';
import { reviewRequest } from './review.js';
import type { WebhookSpec } from './webhook-spec.js';

const stepOf = ({ name, configuration }: WebhookSpec, { step }: AskSettings) =>
  ({ kind: 'webhook', name, of: configuration, step }) as const;

/** A webhook that is not about the request; `match` is absent where its rules are about no such request. */
export function explainNotAsked(
  spec: WebhookSpec,
  settings: AskSettings,
  match: ClassMatch | undefined,
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): void {
  if (!context.explain) return;
  const message = match ? whyNot(match, attributes, context) : 'its rules are not about such requests';
  context.explain({
    ...stepOf(spec, settings),
    outcome: 'not asked',
    message: message ?? 'its conditions do not hold',
  });
}

/** A webhook that has been asked; `refused`: why the write does not go on, if it does not. */
export function explainAsked(question: Question, asked: Asked, refused: Failure | undefined, began: number): void {
  const { webhook, attributes, context, resource, seen, settings } = question;
  if (!context.explain) return;
  context.explain({
    ...stepOf(webhook.spec, settings),
    ...outcomeOf(asked, refused, webhook.spec.ignoresFailures),
    milliseconds: performance.now() - began,
    request: reviewRequest('', attributes, resource, seen),
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
