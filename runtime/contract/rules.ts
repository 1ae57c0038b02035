/** The compiled rules of a schema, as generated code passes them to the runtime. */

/** The result of an evaluation with its cost. */
export type RuleOutcome =
  | { readonly ok: true; readonly value: unknown; readonly cost: number }
  /** `budget`: the evaluation was stopped because its budget was spent. */
  | { readonly ok: false; readonly reason: 'error' | 'budget'; readonly message: string; readonly cost: number };

export interface RuleProgram {
  /** The source text of the expression. */
  readonly text: string;
  /** Evaluates the expression with decoded JSON for `self` and `oldSelf`. Stops once the cost exceeds the budget. */
  evaluate(variables: Readonly<Record<string, unknown>>, budget?: number): RuleOutcome;
}

/** One rule at a place in a schema. */
export interface CompiledRule {
  readonly test: RuleProgram;
  /** Whether it compares with the old object. Such a rule is skipped if there is none. */
  readonly isTransition: boolean;
  /** Computes the message of a broken rule. */
  readonly message: RuleProgram | undefined;
}

/** The rules in order, by JSON pointer (RFC 6901) from the schema to the part that has them. */
export type CompiledRules = ReadonlyMap<string, readonly CompiledRule[]>;
