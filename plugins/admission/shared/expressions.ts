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
  dyn,
  EvaluationError,
  type Expression,
  namespaceValue,
  resourceCheckValue,
  StructValue,
  type Type,
  type Visible,
  variablesTypeName,
} from '../../../runtime/cel/index.js';
import type { AdmissionAttributes, AdmissionContext, ApiObject } from '../../../runtime/contract/index.js';
import { joinErrors } from '../../../runtime/objects/field-error.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { namespaceOf, requestValue, type SeenObjects, shownObject } from './admission-request.js';

export type Variables = Readonly<Record<string, unknown>>;

/** The result of one expression. */
export type Evaluation =
  | { readonly ok: true; readonly value: CelValue }
  | { readonly ok: false; readonly message: string }
  /** If there is nothing to evaluate. */
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
    const cost = outcome.cost + (variables.variables instanceof NamedValues ? variables.variables.takeCost() : 0);
    if (cost > remaining) return { ok: false, message: budgetSpent };
    remaining -= cost;
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

/** A named expression of a policy, which later expressions may use. */
export interface NamedExpression {
  readonly name: string;
  readonly compiled: Compiled;
}

/** Compiles a policy's variables. Each may use those before it. Returns them with what later expressions may use. */
export function compileVariables(
  named: readonly { readonly name: string; readonly expression: string }[],
  visible: Visible,
): { readonly named: readonly NamedExpression[]; readonly visible: Visible } {
  const types = new Map<string, Type>();
  const compiled = named.map(({ name, expression }) => {
    const one = compile(expression, { ...visible, variables: new Map(types) });
    types.set(name, one.ok ? one.expression.type : dyn);
    return { name, compiled: one };
  });
  return { named: compiled, visible: named.length === 0 ? visible : { ...visible, variables: types } };
}

/** The values of a policy's variables for one request. Each is computed when it is first used. */
export class NamedValues extends StructValue {
  readonly typeName = variablesTypeName;
  readonly #values = new Map<string, CelValue>();
  readonly #variables: Variables;
  /** The cost of the values that were computed since the last call of `takeCost`. */
  #cost = 0;

  constructor(
    private readonly named: readonly NamedExpression[],
    variables: Variables,
  ) {
    super();
    this.#variables = { ...variables, variables: this };
  }

  get size(): number {
    return this.named.length;
  }

  has(field: string): boolean {
    return this.named.some(({ name }) => name === field);
  }

  get(field: string): CelValue | undefined {
    const known = this.#values.get(field);
    if (known !== undefined) return known;
    const compiled = this.named.findLast(({ name }) => name === field)?.compiled;
    if (compiled === undefined) return undefined;
    const value = this.#compute(field, compiled);
    this.#values.set(field, value);
    return value;
  }

  #compute(field: string, compiled: Compiled): CelValue {
    const failed = `composited variable ${JSON.stringify(field)} fails to`;
    if (!compiled.ok) throw new EvaluationError(`${failed} compile: ${compiled.mistake}`);
    const outcome = compiled.expression.evaluate(this.#variables);
    this.#cost += outcome.cost;
    if (outcome.ok) return outcome.value;
    throw new EvaluationError(`${failed} evaluate: ${outcome.message}`);
  }

  takeCost(): number {
    const cost = this.#cost;
    this.#cost = 0;
    return cost;
  }

  *members(): Iterable<readonly [string, CelValue]> {
    for (const { name } of this.named) yield [name, this.get(name) ?? null];
  }

  equals(other: CelValue): boolean {
    return this === other;
  }
}

/** Compiles an expression that may use the variables in `visible`. */
export function compile(text: string, visible: Visible): Compiled {
  const compiled = compileExpression(text, admissionEnvironment(visible));
  if (compiled.ok) return { ok: true, expression: compiled.expression };
  return { ok: false, text, mistake: `compilation error: ${compileMistake(text, compiled.failure)}` };
}

/** Formats a compile error. The server refuses objects with such expressions, so stored ones come from another release. */
export const compileMistake = (text: string, { phase, issues }: CompileFailure): string =>
  phase === 'program'
    ? `program instantiation failed: ${issues.map(({ message }) => message).join('; ')}`
    : `compilation failed: ${describeIssues(text, issues)}`;

/** Whether all conditions hold, or the errors that make this unknown. */
type Met =
  | { readonly ok: true; readonly met: boolean }
  | { readonly ok: false; readonly problem: string; readonly mistakes: number };

/** Returns the variables of conditions: their `request` has the matched kind, but the resource of the request. */
function inConditions(variables: Variables): Variables {
  const { request } = variables;
  return isObject(request) ? { ...variables, request: { ...request, resource: request.requestResource } } : variables;
}

/** Evaluates conditions. A false condition decides, whatever the others yield. */
export function meetsConditions(conditions: readonly Compiled[], variables: Variables): Met {
  if (conditions.length === 0) return { ok: true, met: true };
  const evaluated = evaluateAll(conditions, inConditions(variables), conditionsCostLimit);
  if (!evaluated.ok) return { ok: false, problem: evaluated.message, mistakes: 0 };
  const { results } = evaluated;
  if (results.some((result) => result?.ok && result.value === false)) return { ok: true, met: false };
  const messages = results.flatMap((result) => (result && !result.ok ? [result.message] : []));
  const mistakes = messages.length;
  if (mistakes === 0) return { ok: true, met: true };
  return { ok: false, problem: joinErrors(messages), mistakes };
}

export function variablesOf(
  attributes: AdmissionAttributes,
  seen: SeenObjects,
  params: ApiObject | undefined,
  ask: Ask,
  namespaceObject?: ApiObject,
): Variables {
  const { resource, subresource, name, user } = attributes;
  const { object, oldObject } = seen;
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
    namespaceObject: namespaceObject ? namespaceValue(namespaceObject) : null,
    request: requestValue(attributes, seen),
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
