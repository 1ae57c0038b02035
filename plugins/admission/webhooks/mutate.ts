/** Asks mutating webhooks one after the other and applies their patches. */
import { decodeJson } from '../../../runtime/codec/json.js';
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
  Result,
} from '../../../runtime/contract/index.js';
import { decodeJsonPatch, explainedPatch, type JsonPatchDocument } from '../../../runtime/merge/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { equal } from '../../../runtime/objects/equality.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { badRequest, internalFailure } from '../../../runtime/objects/status.js';
import { inTurns } from '../../../runtime/objects/turns.js';
import { become } from '../define-admission-plugin.js';
import { Reinvocation } from '../shared/reinvocation.js';
import {
  type Asked,
  askWebhook,
  failedOpenNote,
  mutationNote,
  observeAsked,
  overdue,
  questionFor,
  unanswered,
  unavailable,
} from './ask.js';
import { denial, type ReviewAnswer } from './review.js';
import type { AskSettings, Question, Webhook } from './webhook.js';
import type { CandidateWebhook } from './webhook-set.js';

/** The state of each write, from its first pass on. */
const reinvocations = new WeakMap<AdmissionAttributes, Reinvocation<Webhook>>();

/** Changes the object in place. Resolves to the first refusal. */
export async function askInOrder(
  candidates: readonly CandidateWebhook[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  settings: AskSettings,
): Promise<Failure | undefined> {
  const reinvocation = reinvocations.get(attributes) ?? new Reinvocation<Webhook>();
  reinvocations.set(attributes, reinvocation);
  const { pass, object } = attributes;
  const isSecond = pass?.isSecond === true;
  if (isSecond) reinvocation.begin(object);
  for (const candidate of candidates) {
    const { webhook } = candidate;
    if (isSecond && !reinvocation.takes(webhook)) continue;
    const question = await questionFor(candidate, attributes, context, settings);
    if (!question.ok) return question.failure;
    if (!question.value) continue;
    const unconfirmed = await context.confirm?.();
    if (unconfirmed) return unconfirmed;
    const { refused, changed } = await new Mutation(question.value).ask();
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

interface MutationResult {
  readonly refused: Failure | undefined;
  readonly changed: boolean;
}

/** One webhook and one request. */
class Mutation {
  constructor(private readonly question: Question) {}

  async ask(): Promise<MutationResult> {
    const { webhook, attributes, context, settings } = this.question;
    const { group } = settings;
    const began = performance.now();
    const answered = await askWebhook(this.question, patchProblem);
    const patch = patchIn(answered);
    const asked = patch?.ok === false && settings.undecodableFails ? undecodable(patch.failure) : answered;
    const outcome = await this.#follow(asked, patch);
    observeAsked(this.question, asked, outcome.refused, began);
    const round = attributes.pass?.isSecond === true ? 1 : 0;
    context.annotate(...mutationNote(group, webhook, round, outcome.changed));
    if (asked.outcome === 'unanswered' && webhook.spec.ignoresFailures) {
      context.annotate(...failedOpenNote('mutation', group, webhook, round));
    }
    return outcome;
  }

  async #follow(asked: Asked, patch: Result<JsonPatchDocument> | undefined): Promise<MutationResult> {
    const { webhook, context, seen } = this.question;
    if (asked.outcome === 'failed') return refusal(asked.failure);
    if (asked.outcome === 'unanswered') {
      return refusal(webhook.spec.ignoresFailures ? overdue(context) : unanswered(webhook, asked.problem));
    }
    const { allowed, status } = asked.answer;
    if (!allowed) return refusal(denial(webhook.spec.name, status));
    if (!patch) return unchanged;
    const result = patch.ok ? await patched(this.question, patch.value) : failed(patch.failure.message);
    if (!result.ok) return refusal(result.failure);
    if (!result.value || equal(result.value, seen.object)) return unchanged;
    return this.#take(result.value);
  }

  /** Converts the object that the webhook returned to the version of the request. */
  async #take(made: ApiObject): Promise<MutationResult> {
    const { attributes, context } = this.question;
    const { object } = attributes;
    if (!object) return unchanged;
    const own = made.apiVersion === object.apiVersion ? undefined : await context.convert(made, object.apiVersion);
    if (own?.ok === false) return refusal(own.failure);
    become(object, own?.value ?? made);
    return { refused: undefined, changed: true };
  }
}

const unchanged: MutationResult = { refused: undefined, changed: false };

const refusal = (refused: Failure | undefined): MutationResult => ({ refused, changed: false });

function patchProblem({ patch, patchType }: ReviewAnswer): string | undefined {
  const wrong = 'received invalid webhook response: webhook returned';
  if (patch !== '' && patchType === undefined) return `${wrong} response.patch but not response.patchType`;
  if (patch === '' && patchType !== undefined) return `${wrong} response.patchType but not response.patch`;
  if (patchType === undefined || patchType === 'JSONPatch') return undefined;
  return `unsupported patch type ${JSON.stringify(patchType)}`;
}

/** Decodes the patch of an answer; `undefined` if it has none, or refuses the request. */
function patchIn(asked: Asked): Result<JsonPatchDocument> | undefined {
  if (asked.outcome !== 'answered' || !asked.answer.allowed || asked.answer.patch === '') return undefined;
  const json = decodeJson(asked.answer.patch);
  return json.ok ? decodeJsonPatch(json.value, false) : { ok: false, failure: badRequest(json.problem) };
}

/** Returns an answer with a patch that cannot be decoded as the failure of its webhook. */
const undecodable = ({ message }: Failure): Asked => ({
  outcome: 'unanswered',
  problem: `received undecodable patch in webhook response: ${message}`,
  code: unavailable,
});

const failed = (problem: string): Result<never> => ({ ok: false, failure: internalFailure(problem) });

/** Returns the patched object, pruned and with defaults; `undefined` if the patch is empty. */
async function patched(
  { webhook: { spec }, attributes: { operation }, context: { decode }, seen: { object } }: Question,
  { operations }: JsonPatchDocument,
): Promise<Result<ApiObject | undefined>> {
  if (operations.length === 0) return { ok: true, value: undefined };
  if (!object) {
    const why = 'attempted to modify the object, which is not supported for this operation';
    return failed(`admission webhook ${JSON.stringify(spec.name)} ${why}`);
  }
  const applied = await inTurns(explainedPatch(object, operations));
  if (!applied.ok) return failed(applied.problem);
  // The result shares parts with the object, and decoding changes its input.
  const value = clone(applied.value);
  if (!isObject(value)) return failed('the patched object is not a JSON object');
  const own = { apiVersion: object.apiVersion, kind: object.kind };
  // The options of a CONNECT have no resource of their own, and no defaults.
  if (operation === 'CONNECT') return { ok: true, value: { ...value, ...own, metadata: {} } };
  if (!decode) throw new Error('the admission context must have decode: webhooks patch objects');
  const made = decode({ ...value, ...own });
  // An object without field managers has no such list.
  if (made.ok && made.value.metadata.managedFields?.length === 0) delete made.value.metadata.managedFields;
  return made;
}
