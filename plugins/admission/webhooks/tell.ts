/** Tells of a webhook that has been asked, for metrics and explanations. */
import type { Failure, WebhookDecision } from '../../../runtime/contract/index.js';
import type { Asked } from './ask.js';
import type { Question } from './asking.js';
import { explainAsked } from './explain.js';

type Came = Pick<WebhookDecision, 'outcome' | 'code'>;

/** `refused`: why the write does not go on, if it does not; `began`: as the performance clock said before. */
export function tellOf(question: Question, asked: Asked, refused: Failure | undefined, began: number): void {
  explainAsked(question, asked, refused, began);
  const { webhook, attributes, settings } = question;
  const { name, ignoresFailures } = webhook.spec;
  const { step, observer } = settings;
  const seconds = (performance.now() - began) / 1000;
  observer?.webhookAsked(
    { name, step, operation: attributes.operation, ...outcomeOf(asked, refused, ignoresFailures) },
    seconds,
  );
}

function outcomeOf(asked: Asked, refused: Failure | undefined, ignoresFailures: boolean): Came {
  if (asked.outcome === 'unanswered') {
    return { outcome: ignoresFailures ? 'passed over' : 'unanswered', code: asked.code };
  }
  if (refused === undefined) return { outcome: 'admitted', code: 200 };
  const isDenied = asked.outcome === 'answered' && !asked.answer.allowed;
  return isDenied ? { outcome: 'denied', code: refused.code ?? 400 } : { outcome: 'unusable', code: 0 };
}
