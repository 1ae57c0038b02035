/** Checks a value against a structural schema, in the order and the words of the reference. */
import type { FieldError, JsonObject, JsonValue } from '../../contract/index.js';
import { required } from '../../objects/field-error.js';
import { getOwn, isObject } from '../../objects/guards.js';
import type { Checks } from './checks.js';
import { type BranchResult, combine } from './combinations.js';
import { Findings, type Path } from './findings.js';
import * as errors from './keyword-errors.js';
import { outOfRange, wrongFormat, wrongFormattedType, wrongType } from './keyword-errors.js';
import { allDiffer, countProperties, isLonger, isMultiple, isOneOf, isShorter } from './measures.js';
import type { Pattern } from './pattern.js';
import type { Node } from './table.js';
import { isInt64, isNumber } from './value.js';

/**
 * Checks values and collects errors. Errors are in the order of the schema only if `inOrder`. A walk in the order of
 * the object is faster, and enough for an object without errors.
 *
 * Each check returns the number of keywords that applied to the value. If several schemas do not fit, the schema with
 * the most is probably the intended one.
 */
export class Validator {
  protected found: Findings;
  /** Whether this checks a branch of a combination. In a branch, keywords that never refuse a value count too. */
  #inBranch = false;

  constructor(
    private readonly path: Path,
    found: Findings,
    private readonly inOrder: boolean,
  ) {
    this.found = found;
  }

  /** Checks type, combinations, text, number, list, enumeration and object, in this order. */
  check(node: Node, value: JsonValue): number {
    const { checks } = node;
    if (checks.isUnknown) this.found.doubt();
    if (value === null) return this.#null(checks);
    if (node.again !== undefined) return this.check(node.again, value);
    let applied = 4 + this.#type(checks, value) + this.combinations(node, value);
    if (typeof value === 'string') applied += this.#text(checks, value);
    else if (isNumber(value)) applied += this.#number(checks, value);
    else if (Array.isArray(value)) applied += this.#list(node, value);
    if (checks.enumeration !== undefined) this.#enumeration(checks.enumeration, value);
    return isObject(value) ? applied + this.#object(node, value) : applied;
  }

  /** Checks a value against the schemas that a node combines. */
  combinations(node: Node, value: JsonValue): number {
    const { anyOf, oneOf, allOf, not } = node;
    if (anyOf.length + oneOf.length + allOf.length === 0 && not === undefined) return 0;
    return combine(node, this.path, this.found, (branch) => this.#branch(branch, value));
  }

  #branch(node: Node, value: JsonValue): BranchResult {
    const [found, inBranch] = [this.found, this.#inBranch];
    this.found = new Findings();
    this.#inBranch = true;
    const outcome = { applied: this.check(node, value), errors: this.found };
    [this.found, this.#inBranch] = [found, inBranch];
    return outcome;
  }

  protected below(node: Node, value: JsonValue, step: string | number): number {
    if (!node.canFail && !this.#inBranch) return 0;
    this.path.enter(step);
    const applied = this.check(node, value);
    this.path.leave();
    return applied;
  }

  #fail(errorAt: (path: string) => FieldError): void {
    this.found.push(errorAt(this.path.toString()), this.path.place());
  }

  #null({ type, nullable, enumeration }: Checks): number {
    const isRefused = type !== '' && !nullable;
    if (isRefused) this.#fail((path) => wrongType(path, type, null));
    if (enumeration !== undefined) this.#enumeration(enumeration, null);
    return isRefused ? 0 : 1;
  }

  #type(checks: Checks, value: JsonValue): number {
    const { type, format } = checks;
    if (type === '' && format === undefined) return 0;
    if (hasType(checks, value)) return 2;
    if (format === undefined) this.#fail((path) => wrongType(path, type, value));
    else this.#fail((path) => wrongFormattedType(path, type, format, value));
    return 1;
  }

  /** Checks a text. Reports only the first failure of the sizes and the pattern. */
  #text({ hasTexts, maxLength, minLength, pattern, textFormat }: Checks, value: string): number {
    if (!hasTexts) return 1;
    if (maxLength !== undefined && isLonger(value, Number(maxLength))) {
      this.#fail((path) => errors.tooLong(path, maxLength));
    } else if (minLength !== undefined && isShorter(value, Number(minLength))) {
      this.#fail((path) => errors.tooShort(path, value, minLength));
    } else if (pattern !== undefined) this.#pattern(pattern, value);
    if (textFormat === undefined) return 1;
    if (!textFormat.matches(value)) this.#fail((path) => wrongFormat(path, textFormat.name, value));
    return 2;
  }

  #pattern(pattern: Pattern, value: string): void {
    const matches = pattern.matches(value);
    if (matches === undefined) this.found.doubt();
    else if (!matches) this.#fail((path) => errors.notMatching(path, value, pattern.source));
  }

  #number({ hasNumbers, range, schema }: Checks, value: number | bigint): number {
    if (range !== undefined && !range.includes(value)) this.#fail((path) => outOfRange(path, range.name));
    if (!hasNumbers) return 2;
    const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      this.#fail((path) => errors.notMultiple(path, value, multipleOf));
    }
    if (minimum !== undefined) {
      const bound = boundFor(value, minimum);
      const error = exclusiveMinimum ? errors.notAbove : errors.tooSmall;
      if (exclusiveMinimum ? value <= bound : value < bound) this.#fail((path) => error(path, value, bound));
    }
    if (maximum !== undefined) {
      const bound = boundFor(value, maximum);
      const error = exclusiveMaximum ? errors.notBelow : errors.tooLarge;
      if (exclusiveMaximum ? value >= bound : value > bound) this.#fail((path) => error(path, value, bound));
    }
    return 2;
  }

  /** Checks the items of a list, then their number. */
  #list({ items, checks }: Node, list: readonly JsonValue[]): number {
    const { minItems, maxItems, schema } = checks;
    let applied = 2;
    if (items !== undefined && (items.canFail || this.#inBranch)) {
      for (let i = 0; i < list.length && !this.found.full; i++) applied += this.below(items, list[i] ?? null, i);
    }
    if (minItems !== undefined && list.length < minItems) {
      this.#fail((path) => errors.tooFewItems(path, list.length, minItems));
    }
    if (maxItems !== undefined && list.length > maxItems) {
      this.#fail((path) => errors.tooManyItems(path, list.length, maxItems));
    }
    if (schema.uniqueItems === true && !allDiffer(list)) this.#fail(errors.repeatedItems);
    return applied;
  }

  #enumeration({ values, texts }: NonNullable<Checks['enumeration']>, value: JsonValue): void {
    const isAllowed = texts === undefined ? isOneOf(values, value) : typeof value === 'string' && texts.includes(value);
    if (!isAllowed) this.#fail((path) => errors.notInEnum(path, value, values));
  }

  /** Checks the number of properties, then the properties, then reports missing ones. */
  #object(node: Node, object: JsonObject): number {
    const { checks } = node;
    if (checks.hasSizes) this.#sizes(checks, object);
    const applied = this.inOrder ? this.#ordered(node, object) : this.#asWritten(node, object);
    for (const name of checks.required) {
      if (getOwn(object, name) !== undefined) continue;
      this.found.push(required(this.path.below(`.${name}`)), [...this.path.place(), name]);
    }
    return 1 + applied;
  }

  #sizes({ minProperties, maxProperties }: Checks, object: JsonObject): void {
    const count = countProperties(object);
    if (minProperties !== undefined && count < minProperties) {
      this.#fail((path) => errors.tooFewProperties(path, count, minProperties));
    }
    if (maxProperties !== undefined && count > maxProperties) {
      this.#fail((path) => errors.tooManyItems(path, count, maxProperties));
    }
  }

  #asWritten({ fields, values }: Node, object: JsonObject): number {
    let applied = 0;
    for (const key in object) {
      const value = object[key];
      const field = fields.byName.get(key);
      if (value === undefined) continue;
      if (field !== undefined) applied += this.below(field.node, value, field.step);
      else if (values !== undefined) applied += this.below(values, value, `.${key}`);
    }
    return applied;
  }

  #ordered({ fields, values }: Node, object: JsonObject): number {
    let applied = 0;
    if (values !== undefined) {
      for (const [key, value] of Object.entries(object)) {
        if (this.found.full) break;
        if (value !== undefined && !fields.byName.has(key)) applied += this.below(values, value, `.${key}`);
      }
    }
    for (const { name, node, step } of fields.list) {
      const value = getOwn(object, name);
      if (value !== undefined) applied += this.below(node, value, step);
    }
    return applied;
  }
}

/**
 * Reports whether a value is of a type. With a format of texts, a list passes too, because the format checks only
 * texts.
 */
function hasType({ type, format }: Checks, value: JsonValue): boolean {
  switch (type) {
    case 'string':
    case '':
      return typeof value === 'string' || (format !== undefined && Array.isArray(value));
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return isInt64(value);
    case 'number':
      return isNumber(value);
    case 'boolean':
      return typeof value === 'boolean';
    default:
      return typeof value === 'string' || isInt64(value) || (format !== undefined && Array.isArray(value));
  }
}

/** Truncates a bound for integers, as the reference does. */
const boundFor = (value: number | bigint, bound: number | bigint): number | bigint =>
  typeof bound === 'number' && isInt64(value) ? Math.trunc(bound) : bound;
