/** Checks objects against the rules of their schema. */
import type { ErrorSink, FieldError, JsonObject, RuleOutcome, RuleProgram } from '../../contract/index.js';
import { type BadValue, duplicate, forbidden, invalidValue, required } from '../../objects/field-error.js';
import { getOwn, isObject } from '../../objects/guards.js';
import type { Correlation } from '../../schema/correlation.js';
import { earlierItems } from '../../schema/earlier-items.js';
import { Findings } from '../../schema/engine/findings.js';
import { callCostLimit, objectCostLimit } from '../check/range.js';
import { childPath } from './field-path.js';
import type { PlacedRule, RulePlace } from './rule-tree.js';

/**
 * Reports the rules that an object breaks (the first 1,000), and rules that cannot be evaluated. `old` is the object
 * before an update. Transition rules do not apply to values without an earlier state. No rule applies to absent or null
 * values. If the budget for the whole object is spent, reports an error and stops. Errors of broken rules print the
 * type of a value, or the value itself if `showsValues`.
 */
export function validateRules(
  root: RulePlace,
  object: unknown,
  old: unknown,
  errors: ErrorSink,
  { budget = objectCostLimit, showsValues = false, ratchet }: RuleReading = {},
): void {
  const validation = new Validation(budget, showsValues, ratchet);
  validation.visit(root, '', object, old);
  validation.findings.reportTo(errors);
}

/** How to evaluate and report rules. */
export interface RuleReading {
  /** The highest total cost of all rules of an object. */
  readonly budget?: number | undefined;
  /** Whether errors of broken rules print values, as since release 1.35. Default: false. */
  readonly showsValues?: boolean | undefined;
  /** Whether an error of an enum blocks all rules, as since release 1.29. Default: false. */
  readonly enumsBlock?: boolean | undefined;
  /** Lets unchanged values of an update break rules that do not use `oldSelf`. */
  readonly ratchet?: RuleRatchet | undefined;
}

/** The object of an update with its earlier state, and the function that gets the errors of unchanged values. */
export interface RuleRatchet {
  readonly correlation: Correlation;
  readonly warn: (error: FieldError) => unknown;
}

class Validation {
  readonly findings = new Findings();
  private stopped = false;
  /** The visited place. Only broken rules need it, to look for an earlier state. */
  private readonly steps: (string | number)[] = [];

  constructor(
    private remaining: number,
    private readonly showsValues: boolean,
    private readonly ratchet: RuleRatchet | undefined,
  ) {}

  visit(place: RulePlace, path: string, self: unknown, old: unknown): void {
    if (self === undefined || self === null || this.done) return;
    if (place.rules.length > 0) this.evaluateAll(place, path, self, old ?? undefined);
    if (Array.isArray(self)) this.visitItems(place, path, self, old);
    else if (isObject(self)) this.visitMembers(place, path, self, isObject(old) ? old : undefined);
  }

  private get done(): boolean {
    return this.stopped || this.findings.full;
  }

  private visitItems({ items, keys }: RulePlace, path: string, list: readonly unknown[], old: unknown): void {
    if (items === undefined) return;
    const earlier = keys !== undefined && Array.isArray(old) ? earlierItems(old, keys) : undefined;
    for (let i = 0; i < list.length && !this.done; i++) {
      this.below(i, items, `${path}[${i}]`, list[i], earlier?.(list[i]));
    }
  }

  private visitMembers(
    { values, properties }: RulePlace,
    path: string,
    self: JsonObject,
    old: JsonObject | undefined,
  ): void {
    if (values !== undefined) {
      for (const key of Object.keys(self)) {
        if (this.done) return;
        if (self[key] === undefined) continue;
        this.below(key, values, `${path}[${key}]`, self[key], old && getOwn(old, key));
      }
    }
    for (const [name, place] of properties) {
      const value = getOwn(self, name);
      if (value !== undefined) this.below(name, place, childPath(path, name), value, old && getOwn(old, name));
    }
  }

  private below(step: string | number, place: RulePlace, path: string, self: unknown, old: unknown): void {
    this.steps.push(step);
    this.visit(place, path, self, old);
    this.steps.pop();
  }

  private evaluateAll(place: RulePlace, path: string, self: unknown, old: unknown): void {
    const report = (message: string): void => this.findings.push(invalidValue(path || '<nil>', place.type, message));
    if (this.remaining <= 0) {
      report(`validation failed due to ${outOfBudget}`);
      this.stopped = true;
      return;
    }
    const variables = old === undefined ? { self } : { self, oldSelf: old };
    for (const rule of place.rules) {
      if (this.done) return;
      if ('mistake' in rule.test) report(`rule compile error: ${rule.test.mistake}`);
      else if (!rule.isTransition || old !== undefined) {
        const outcome = this.evaluate(rule.test.expression, variables);
        if (outcome === 'unpaid') report(`validation failed due to ${outOfBudget}`);
        else if (!outcome.ok) report(this.evaluationError(rule, outcome));
        else if (outcome.value !== true) this.reportBroken(rule, place, path, variables);
      }
    }
  }

  /**
   * Evaluates an expression and charges its cost. Ends the validation and returns `unpaid` if the budget is exceeded.
   */
  private evaluate(expression: RuleProgram, variables: Readonly<Record<string, unknown>>): RuleOutcome | 'unpaid' {
    const outcome = expression.evaluate(variables, Math.min(callCostLimit, this.remaining));
    if (outcome.cost > this.remaining) {
      this.stopped = true;
      return 'unpaid';
    }
    this.remaining -= outcome.cost;
    return outcome;
  }

  private evaluationError(
    { title }: PlacedRule,
    { reason, message }: Exclude<RuleOutcome, { readonly ok: true }>,
  ): string {
    if (reason === 'budget') {
      this.stopped = true;
      return `'${message}': no further validation rules will be run due to call cost exceeds limit for rule: ${title}`;
    }
    if (message.startsWith('no such overload')) {
      return `'${message}': call arguments did not match a supported operator, function or macro signature for rule: ${title}`;
    }
    return `${message} evaluating rule: ${title}`;
  }

  private reportBroken(
    rule: PlacedRule,
    place: RulePlace,
    path: string,
    variables: Readonly<Record<string, unknown>>,
  ): void {
    const detail = this.messageOf(rule, variables);
    if ('failure' in detail) {
      this.refuse(rule, invalidValue(path || '<nil>', place.type, detail.failure));
    } else {
      const printed = this.showsValues ? simpleValue(variables.self) : place.type;
      this.refuse(rule, brokenRule(rule, path, printed, detail.message));
    }
  }

  private refuse(rule: PlacedRule, error: FieldError): void {
    if (this.ratchet === undefined || rule.usesOldSelf || !this.isUnchanged(this.ratchet.correlation)) {
      this.findings.push(error);
    } else this.ratchet.warn(error);
  }

  /**
   * Returns whether the visited value equals its earlier state. If it has none, compares the innermost value around it
   * that has one.
   */
  private isUnchanged(root: Correlation): boolean {
    let at = root;
    for (const step of this.steps) {
      const below = at.child(step);
      if (below === undefined) break;
      at = below;
    }
    return at.isUnchanged;
  }

  private messageOf(
    { message, messageExpression }: PlacedRule,
    variables: Readonly<Record<string, unknown>>,
  ): { readonly message: string } | { readonly failure: string } {
    if (messageExpression === undefined) return { message };
    const outcome = this.evaluate(messageExpression, variables);
    if (outcome === 'unpaid') return { failure: `messageExpression evaluation failed due to ${outOfBudget}` };
    if (!outcome.ok && outcome.reason === 'budget') {
      this.stopped = true;
      const { text } = messageExpression;
      return {
        failure: `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${JSON.stringify(text)}`,
      };
    }
    return { message: (outcome.ok ? usableMessage(outcome.value) : undefined) ?? message };
  }
}

const outOfBudget = 'running out of cost budget, no further validation rules will be run';

/** The most UTF-8 bytes of a message that an expression yields. */
const maxMessageBytes = 5 * 1024;

/** Returns the result of a message expression if it is one line, not empty and not too long. */
function usableMessage(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' || /[\n\r]/.test(text) || Buffer.byteLength(text) > maxMessageBytes ? undefined : text;
}

/** Returns a text, number or boolean; objects and lists are too large for an error. */
const simpleValue = (value: unknown): BadValue => (isSimple(value) ? value : undefined);

const isSimple = (value: unknown): value is string | number | bigint | boolean =>
  ['string', 'number', 'bigint', 'boolean'].includes(typeof value);

/**
 * Returns the error of a rule that a value breaks. `printed` is the value or its type; `undefined` prints nothing. The
 * error of a duplicate does not contain `detail`.
 */
function brokenRule({ reason, fieldPath }: PlacedRule, path: string, printed: BadValue, detail: string): FieldError {
  const field = reportedField(path, fieldPath) || '<nil>';
  switch (reason) {
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueDuplicate':
      return printed === undefined ? { reason, field, message: 'Duplicate value' } : duplicate(field, printed);
    default:
      if (printed === undefined) return { reason, field, message: `Invalid value: ${detail}` };
      return invalidValue(field, printed, detail);
  }
}

function reportedField(path: string, below: string): string {
  if (below === '') return path;
  return below.startsWith('[') ? path + below : childPath(path, below);
}
