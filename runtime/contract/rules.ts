/** The rules of a schema, compiled: what generated code hands the runtime. */

/** The result of an evaluation with its cost. */
export type RuleOutcome =
  | { readonly ok: true; readonly value: unknown; readonly cost: number }
  /** `budget`: the evaluation was stopped because its budget was spent. */
  | { readonly ok: false; readonly reason: 'error' | 'budget'; readonly message: string; readonly cost: number };

/** An expression that can be evaluated. */
export interface RuleProgram {
  /** The text of the definition. */
  readonly text: string;
  /** Evaluates it with decoded JSON for `self` and `oldSelf`; stops once it has cost more than the budget. */
  evaluate(variables: Readonly<Record<string, unknown>>, budget?: number): RuleOutcome;
}

/** One rule of a place in a schema. */
export interface CompiledRule {
  readonly test: RuleProgram;
  /** Whether it compares with an earlier state, and so has nothing to say where there is none. */
  readonly isTransition: boolean;
  /** Computes the message for a broken rule. */
  readonly message: RuleProgram | undefined;
}

/**
 * By place, as the JSON pointer (RFC 6901) from the schema to the part that has the rules: the rules in their order.
 */
export type CompiledRules = ReadonlyMap<string, readonly CompiledRule[]>;
