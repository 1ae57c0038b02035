/** Reports what policies did with a request: steps for explanations, and problems that refuse the request. */
import type { AdmissionAttributes, AdmissionContext, AdmissionStep, Failure } from '../../../runtime/contract/index.js';
import { refuse } from '../define-admission-plugin.js';
import type { CandidatePolicy } from '../shared/policy-set.js';
import type { CompiledMutatingPolicy, MutatingPolicySpec } from './spec.js';

/** A policy that may apply to a request. */
export type MutatingCandidate = CandidatePolicy<MutatingPolicySpec, CompiledMutatingPolicy>;

/** The report about one request. */
export class PolicyReport {
  readonly #problems: Problem[] = [];

  constructor(
    private readonly attributes: AdmissionAttributes,
    private readonly context: AdmissionContext,
  ) {}

  explain({ policy }: MutatingCandidate, step: Omit<AdmissionStep, 'kind' | 'name' | 'step'>): void {
    this.context.explain?.({ kind: 'policy', name: policy.spec.name, step: 'admit', ...step });
  }

  /** Reports that a policy or its binding cannot be used, so the policy changes nothing. */
  misconfigured(candidate: MutatingCandidate, problem: string, binding?: string): readonly [] {
    const message = `failed to configure ${binding === undefined ? 'policy' : 'binding'}: ${problem}`;
    this.#report(candidate, binding, message, false);
    return [];
  }

  /** Reports that an expression could not be evaluated, or that its result cannot be used. */
  failed(candidate: MutatingCandidate, binding: string, problem: string): void {
    this.#report(candidate, binding, problem, true);
  }

  /** Returns the refusal if policies failed and their failures refuse requests. Its code is 403 for both reasons. */
  refusal(): Failure | undefined {
    const [first] = this.#problems;
    if (!first) return undefined;
    const { details } = refuse(
      this.attributes,
      '',
      this.#problems.map(({ message }) => ({ message })),
    );
    return {
      reason: first.isInvalid ? 'Invalid' : 'Forbidden',
      message: first.message,
      code: 403,
      ...(details === undefined ? {} : { details }),
    };
  }

  #report(candidate: MutatingCandidate, of: string | undefined, text: string, invalid: boolean): void {
    const { spec } = candidate.policy;
    const outcome = spec.ignoresFailures ? 'passed over' : 'denied';
    this.explain(candidate, { outcome, ...(of === undefined ? {} : { of }), message: text });
    if (spec.ignoresFailures) return;
    const by = of === undefined ? `policy ${JSON.stringify(spec.name)}` : `policy '${spec.name}' with binding '${of}'`;
    this.#problems.push({ message: `${by} denied request: ${text}`, isInvalid: invalid });
  }
}

interface Problem {
  readonly message: string;
  /** Whether the evaluation failed, rather than the search for parameters. */
  readonly isInvalid: boolean;
}
