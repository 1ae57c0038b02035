/** Evaluates the policies that may apply to a request. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionStep,
  ApiObject,
  Failure,
  Observer,
  PolicyCheck,
  ResourceIndex,
  ResourceModule,
  Result,
  StatusReason,
} from '../../../runtime/contract/index.js';
import { codeOf } from '../../../runtime/objects/status.js';
import { refuse } from '../define-admission-plugin.js';
import { namespaceOf, namespaceSeenBy, type SeenObjects, seenAs } from '../shared/admission-request.js';
import { defineRights, type Rights, variablesOf } from '../shared/expressions.js';
import { type ClassMatch, matchRequest, whyNot } from '../shared/matching.js';
import { findAllParams, findParams, paramKindProblem } from '../shared/params.js';
import type { Candidate, CandidatePolicy } from '../shared/policy-set.js';
import type { BindingSpec } from '../shared/policy-spec.js';
import { evaluatePolicy, type Note, type Violation } from './evaluate-policy.js';
import type { CompiledPolicy, ValidatingPolicySpec } from './spec.js';

type ValidatingCandidate = CandidatePolicy<ValidatingPolicySpec, CompiledPolicy>;

/** The settings that are the same for all requests. */
export interface EvaluationOptions {
  readonly resources: ResourceIndex;
  readonly observer?: Observer;
  /** The key of audit annotations about failed validations. */
  readonly failureKey: string;
  /**
   * Whether bindings may select several objects of parameters, and `request` has the kind and resource that the rule
   * matched, as after release 1.27.
   */
  readonly later: boolean;
}

/** Resolves to the refusal of the first policy that denies the request. All policies are evaluated. */
export async function evaluateRequest(
  options: EvaluationOptions,
  candidates: readonly ValidatingCandidate[],
  attributes: AdmissionAttributes,
  context: AdmissionContext,
): Promise<Failure | undefined> {
  const rights = defineRights(context);
  const denials: Denial[] = [];
  for (const candidate of candidates) {
    for await (const denial of new PolicyEvaluation(options, candidate, attributes, context, rights).denials())
      denials.push(denial);
  }
  const [first] = denials;
  return first && refusal(attributes, first);
}

/** Evaluates one policy for one request. */
class PolicyEvaluation {
  readonly #notes = new PolicyNotes();
  #seen: Result<SeenObjects> | undefined;

  constructor(
    private readonly options: EvaluationOptions,
    private readonly candidate: ValidatingCandidate,
    private readonly attributes: AdmissionAttributes,
    private readonly context: AdmissionContext,
    private readonly rights: Rights,
  ) {}

  async *denials(): AsyncGenerator<Denial> {
    const { policy, match, bindings } = this.candidate;
    const { name, paramKind } = policy.spec;
    const matched = this.matched(match);
    if (!matched.ok) return yield* this.misconfigured('policy', matched.failure.message);
    if (!matched.value) return this.explain('not asked', whyNot(match, this.attributes, this.context));
    const problem = paramKindProblem(paramKind, this.options.resources);
    if (problem !== undefined) return yield* this.misconfigured('policy', problem);
    for (const binding of bindings) yield* this.denialsBy(binding, matched.value);
    this.#notes.publish(name, this.context);
  }

  private async *denialsBy({ binding, match }: Candidate, version: ResourceModule): AsyncGenerator<Denial> {
    const { attributes, context } = this;
    const matched = match ? this.matched(match) : undefined;
    if (matched && !matched.ok) return yield* this.misconfigured('binding', matched.failure.message, binding.name);
    if (match && matched && !matched.value) {
      return this.explain('not asked', whyNot(match, attributes, context), binding.name);
    }
    const params = await this.params(binding);
    if (!params.ok) return yield* this.misconfigured('binding', params.failure.message, binding.name);
    this.#seen ??= await seenAs(version, attributes, context);
    if (!this.#seen.ok) {
      const problem = `failed to convert object version: ${this.#seen.failure.message}`;
      return yield* this.misconfigured('binding', problem, binding.name);
    }
    const { matched: _, ...earlier } = this.#seen.value;
    const seen = this.options.later ? this.#seen.value : earlier;
    for (const param of params.value) yield* this.denialsWith(binding, param, seen);
  }

  private params({ param }: BindingSpec): Promise<Result<readonly (ApiObject | undefined)[]>> {
    const { resources, later } = this.options;
    const { paramKind } = this.candidate.policy.spec;
    return later
      ? findAllParams(paramKind, param, resources, this.context, namespaceOf(this.attributes))
      : findParams(paramKind, param, resources, this.context);
  }

  /** Evaluates the policy with one object of parameters, or without any. */
  private async *denialsWith(
    binding: BindingSpec,
    params: ApiObject | undefined,
    seen: SeenObjects,
  ): AsyncGenerator<Denial> {
    const { attributes, context, rights } = this;
    const { spec, compiled } = this.candidate.policy;
    const ready = compiled instanceof Promise ? await compiled : compiled;
    const variables = variablesOf(attributes, seen, params, rights.ask, namespaceSeenBy(attributes, context));
    const began = performance.now();
    const { violations, notes, failedNotes, failedConditions } = await rights.settle(() =>
      evaluatePolicy(spec, ready, variables),
    );
    const place = { policy: spec.name, binding: binding.name };
    const said = violations.map(({ message }) => message).join('; ');
    const isDenied = violations.length > 0 && binding.actions.includes('Deny');
    const milliseconds = performance.now() - began;
    this.explain(isDenied ? 'denied' : 'admitted', said || undefined, binding.name, milliseconds);
    const owner = { name: spec.name, kind: 'policy' } as const;
    if (failedConditions !== undefined) this.options.observer?.conditionsFailed(owner, failedConditions);
    this.tell(place, violations.length > 0 ? binding.actions : [], (performance.now() - began) / 1000);
    for (const violation of violations) {
      for (const action of binding.actions) {
        if (action === 'Deny') yield { ...place, ...violation };
        if (action === 'Audit') context.annotate(this.options.failureKey, failureNote(binding, violation));
        if (action === 'Warn') context.warn(warning(place, violation.message));
      }
    }
    for (const note of notes) this.#notes.add(note);
    for (const failed of failedNotes) yield { ...place, ...failed };
  }

  private tell(place: Omit<PolicyCheck, 'action'>, actions: readonly string[], seconds: number): void {
    const { observer } = this.options;
    observer?.evaluated(seconds);
    const taken = checkActions.filter((action) => actions.some((one) => one.toLowerCase() === action));
    for (const action of taken.length === 0 ? (['allow'] as const) : taken) {
      observer?.policyChecked({ ...place, action }, seconds);
    }
  }

  private explain(outcome: AdmissionStep['outcome'], message?: string, of?: string, milliseconds?: number): void {
    this.context.explain?.({
      kind: 'policy',
      name: this.candidate.policy.spec.name,
      step: 'validate',
      outcome,
      ...(of === undefined ? {} : { of }),
      ...(message === undefined ? {} : { message }),
      ...(milliseconds === undefined ? {} : { milliseconds }),
    });
  }

  private matched(match: ClassMatch): ReturnType<typeof matchRequest> {
    return matchRequest(match, this.attributes, this.context);
  }

  private *misconfigured(what: 'policy' | 'binding', problem: string, binding?: string): Generator<Denial> {
    const { name, ignoresFailures } = this.candidate.policy.spec;
    this.explain(ignoresFailures ? 'passed over' : 'denied', `failed to configure ${what}: ${problem}`, binding);
    if (!ignoresFailures)
      yield { policy: name, binding, message: `failed to configure ${what}: ${problem}`, reason: '' };
  }
}

const checkActions = ['deny', 'warn', 'audit'] as const;

const warning = ({ policy, binding }: { readonly policy: string; readonly binding: string }, message: string): string =>
  `Validation failed for ValidatingAdmissionPolicy '${policy}' with binding '${binding}': ${message}`;

interface Denial {
  readonly policy: string;
  /** `undefined` if the policy itself denies. */
  readonly binding: string | undefined;
  readonly message: string;
  /** Empty if the policy gives none. */
  readonly reason: string;
}

const reasons = ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge'] as const;

const reasonOf = (text: string): StatusReason => reasons.find((known) => known === text) ?? 'Invalid';

function refusal(attributes: AdmissionAttributes, { policy, binding, message, reason }: Denial): Failure {
  const by = binding === undefined ? `'${policy}'` : `'${policy}' with binding '${binding}'`;
  const text = `ValidatingAdmissionPolicy ${by} denied request: ${message}`;
  const { message: whole, details } = refuse(attributes, text, [{ message: text }]);
  const given = reasonOf(reason);
  return { reason: given, message: whole, code: codeOf(given), ...(details === undefined ? {} : { details }) };
}

/** The longest value of an annotation, bytes; longer values are cut. */
const maxValueBytes = 10 * 1024;

/** Collects the audit annotations of one policy. Its bindings may produce different values for the same key. */
class PolicyNotes {
  readonly #values = new Map<string, string[]>();

  add({ key, value }: Note): void {
    const cut = cutBytes(value, maxValueBytes);
    const values = this.#values.get(key) ?? [];
    this.#values.set(key, values);
    if (!values.includes(cut)) values.push(cut);
  }

  publish(policy: string, { annotate }: AdmissionContext): void {
    for (const [key, values] of this.#values) annotate(`${policy}/${key}`, values.join(', '));
  }
}

/** Returns the value of the annotation about a failed validation. */
function failureNote({ name, policyName, actions }: BindingSpec, { index, message }: Violation): string {
  return JSON.stringify([
    { message, policy: policyName, binding: name, expressionIndex: index, validationActions: actions },
  ]);
}

function cutBytes(text: string, most: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= most
    ? text
    : bytes
        .subarray(0, most)
        .toString()
        .replace(/\uFFFD$/, '');
}
