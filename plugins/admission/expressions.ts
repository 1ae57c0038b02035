/** Evaluates the expressions of policies and webhooks: conditions, variables, and the rights that they check. */
import {
  type Ask,
  admissionEnvironment,
  authorizerValue,
  type CelValue,
  type CompileFailure,
  compileExpression,
  conditionsCostLimit,
  describeIssues,
  type Expression,
  resourceCheckValue,
  type Visible,
} from '../../runtime/cel/index.js';
import type { AdmissionAttributes, AdmissionContext, ApiObject } from '../../runtime/contract/index.js';
import { namespaceOf, requestValue, type SeenObjects, shownObject } from './admission-request.js';

export type Variables = Readonly<Record<string, unknown>>;

/** The result of one expression. */
export type Evaluation =
  | { readonly ok: true; readonly value: CelValue }
  | { readonly ok: false; readonly message: string }
  /** There is no expression. */
  | undefined;

/** The results of several expressions and the remaining budget, or `undefined` for both if the budget was exceeded. */
export type Evaluations =
  | { readonly ok: true; readonly results: readonly Evaluation[]; readonly remaining: number }
  | { readonly ok: false; readonly message: string };

export function evaluateAll(
  expressions: readonly (Compiled | undefined)[],
  variables: Variables,
  budget: number,
): Evaluations {
  let remaining = budget;
  const results: Evaluation[] = [];
  for (const compiled of expressions) {
    if (compiled === undefined || !compiled.ok) {
      results.push(compiled && { ok: false, message: compiled.mistake });
      continue;
    }
    const outcome = compiled.expression.evaluate(variables);
    if (outcome.cost > remaining) return { ok: false, message: budgetSpent };
    remaining -= outcome.cost;
    if (outcome.ok) results.push(outcome);
    else results.push({ ok: false, message: failureText(compiled.expression.text, outcome.message) });
  }
  return { ok: true, results, remaining };
}

const failureText = (text: string, message: string): string => `expression '${text}' resulted in error: ${message}`;

/** The message if the budget of a policy is exceeded. */
export const budgetSpent =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** A compiled expression, or why it does not compile. */
export type Compiled =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly text: string; readonly mistake: string };

/** Compiles an expression that may use the variables in `visible`. */
export function compile(text: string, visible: Visible): Compiled {
  const compiled = compileExpression(text, admissionEnvironment(visible));
  if (compiled.ok) return { ok: true, expression: compiled.expression };
  return { ok: false, text, mistake: `compilation error: ${describe(text, compiled.failure)}` };
}

/**
 * Formats a compile error. Expressions that do not compile are refused when they are written, so this one was stored by
 * another release.
 */
const describe = (text: string, { phase, issues }: CompileFailure): string =>
  phase === 'program'
    ? `program instantiation failed: ${issues.map(({ message }) => message).join('; ')}`
    : `compilation failed: ${describeIssues(text, issues)}`;

/** Whether all conditions hold, or the errors that leave it open. */
type Met =
  | { readonly ok: true; readonly met: boolean }
  | { readonly ok: false; readonly problem: string; readonly mistakes: number };

/** Evaluates conditions. One that is false decides, whatever the others yield. */
export function meetsConditions(conditions: readonly Compiled[], variables: Variables): Met {
  if (conditions.length === 0) return { ok: true, met: true };
  const evaluated = evaluateAll(conditions, variables, conditionsCostLimit);
  if (!evaluated.ok) return { ok: false, problem: evaluated.message, mistakes: 0 };
  const { results } = evaluated;
  if (results.some((result) => result?.ok && result.value === false)) return { ok: true, met: false };
  const messages = results.flatMap((result) => (result && !result.ok ? [result.message] : []));
  const mistakes = messages.length;
  if (mistakes === 0) return { ok: true, met: true };
  const different = [...new Set(messages)];
  const problem = different.length === 1 ? different.join('') : `[${different.join(', ')}]`;
  return { ok: false, problem, mistakes };
}

export function variablesOf(
  attributes: AdmissionAttributes,
  { object, oldObject }: SeenObjects,
  params: ApiObject | undefined,
  ask: Ask,
): Variables {
  const { resource, subresource, name, user } = attributes;
  const asked = {
    group: resource.group,
    resource: resource.names.plural,
    subresource,
    namespace: namespaceOf(attributes),
    name,
  };
  return {
    object: object ? shownObject(attributes.operation, object) : null,
    oldObject: oldObject ?? null,
    params: params ?? null,
    request: requestValue(attributes),
    authorizer: authorizerValue(user, ask),
    'authorizer.requestResource': resourceCheckValue(user, ask, asked),
  };
}

/** Thrown to stop an evaluation that needs an answer which has not arrived yet. */
class Unanswered {
  constructor(readonly answer: Promise<void>) {}
}

/** The rights that the expressions of one request check. */
export interface Rights {
  readonly ask: Ask;
  /**
   * Runs a function that checks rights. If the authorizer answers later, the function is run again with the answer, so
   * it must have no side effects.
   */
  settle<T>(run: () => T): Promise<T>;
}

export function defineRights({ decide }: AdmissionContext): Rights {
  const answers = new Map<string, ReturnType<Ask>>();
  return {
    ask(question) {
      const key = JSON.stringify(question);
      const known = answers.get(key);
      if (known) return known;
      const decision = decide(question);
      if (!(decision instanceof Promise)) return decision;
      throw new Unanswered(decision.then((answer) => void answers.set(key, answer)));
    },
    async settle(run) {
      for (;;) {
        try {
          return run();
        } catch (error) {
          if (!(error instanceof Unanswered)) throw error;
          await error.answer;
        }
      }
    },
  };
}
