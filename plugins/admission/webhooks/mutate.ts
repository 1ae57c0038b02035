/** Asks the mutating webhooks about a request, one after the other. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
  ResourceModule,
} from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { equal } from '../../../runtime/objects/equality.js';
import { matchRequest } from '../matching/matching.js';
import { seenAs } from '../matching/seen-objects.js';
import { type Asked, askWebhook, overdue, unanswered } from './ask.js';
import { denial } from './denial.js';
import { failedOpenNote, mutationNote } from './notes.js';
import { become, patched } from './patch.js';
import { Reinvocation } from './reinvocation.js';
import type { ReviewAnswer } from './review.js';
import type { Webhook } from './webhook.js';
import type { CandidateWebhook } from './webhook-set.js';

/** Facts about a write that are known from its first pass on. */
const reinvocations = new WeakMap<AdmissionAttributes, Reinvocation>();

/** Changes the object in place. Resolves to the first refusal. */
export async function askInOrder(
  candidates: readonly CandidateWebhook[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  group: string,
): Promise<Failure | undefined> {
  const reinvocation = reinvocations.get(attributes) ?? new Reinvocation();
  reinvocations.set(attributes, reinvocation);
  const { pass, object } = attributes;
  const isSecond = pass?.isSecond === true;
  if (isSecond) reinvocation.begin(object);
  for (const { webhook, match } of candidates) {
    const matched = matchRequest(match, attributes, context);
    if (!matched.ok) return matched.failure;
    if (!matched.value || (isSecond && !reinvocation.takes(webhook))) continue;
    const mutation = new Mutation(webhook, matched.value, attributes, context, group);
    const { refused, changed } = await mutation.ask();
    if (changed) {
      reinvocation.require();
      pass?.again();
    }
    if (webhook.spec.isReinvoked) reinvocation.asked(webhook);
    if (refused) return refused;
  }
  reinvocation.end(object && clone(object));
  return undefined;
}

interface Outcome {
  readonly refused: Failure | undefined;
  readonly changed: boolean;
}

/** One webhook that is asked about one request. */
class Mutation {
  constructor(
    private readonly webhook: Webhook,
    private readonly resource: ResourceModule,
    private readonly attributes: AdmissionAttributes,
    private readonly context: AdmissionContext,
    private readonly group: string,
  ) {}

  async ask(): Promise<Outcome> {
    const { webhook, attributes, context, resource, group } = this;
    const seen = await seenAs(resource, attributes, context);
    if (!seen.ok) return refusal(seen.failure);
    const asked = await askWebhook({ webhook, attributes, context, resource, seen: seen.value, group }, patchProblem);
    const outcome = await this.#follow(asked, seen.value.object);
    const round = attributes.pass?.isSecond === true ? 1 : 0;
    context.annotate(...mutationNote(group, webhook, round, outcome.changed));
    if (asked.outcome === 'unanswered' && webhook.spec.ignoresFailures) {
      context.annotate(...failedOpenNote('mutation', group, webhook, round));
    }
    return outcome;
  }

  async #follow(asked: Asked, object: ApiObject | undefined): Promise<Outcome> {
    const { webhook, context } = this;
    if (asked.outcome === 'failed') return refusal(asked.failure);
    if (asked.outcome === 'unanswered') {
      return refusal(webhook.spec.ignoresFailures ? overdue(context) : unanswered(webhook, asked.problem));
    }
    const { allowed, status, patch } = asked.answer;
    if (!allowed) return refusal(denial(webhook.spec.name, status));
    if (patch === '') return unchanged;
    const result = patched(object, patch, webhook.spec.name, context);
    if (!result.ok) return refusal(result.failure);
    if (!result.value || equal(result.value, object)) return unchanged;
    return this.#take(result.value);
  }

  /** Brings what the webhook has made of the object into the request's own version. */
  async #take(made: ApiObject): Promise<Outcome> {
    const { object } = this.attributes;
    if (!object) return unchanged;
    const own = made.apiVersion === object.apiVersion ? undefined : await this.context.convert(made, object.apiVersion);
    if (own?.ok === false) return refusal(own.failure);
    become(object, own?.value ?? made);
    return { refused: undefined, changed: true };
  }
}

const unchanged: Outcome = { refused: undefined, changed: false };

const refusal = (refused: Failure | undefined): Outcome => ({ refused, changed: false });

function patchProblem({ patch, patchType }: ReviewAnswer): string | undefined {
  const wrong = 'received invalid webhook response: webhook returned';
  if (patch !== '' && patchType === undefined) return `${wrong} response.patch but not response.patchType`;
  if (patch === '' && patchType !== undefined) return `${wrong} response.patchType but not response.patch`;
  if (patchType === undefined || patchType === 'JSONPatch') return undefined;
  return `unsupported patch type ${JSON.stringify(patchType)}`;
}
