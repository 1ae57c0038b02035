/** Checks a value against the schema of a typed kind, in the words of built-in kinds. */
import type { FieldError, JsonObject, JsonValue } from '../../contract/index.js';
import { type BadValue, duplicate, invalidValue, required } from '../../objects/field-error.js';
import { getOwn, isObject } from '../../objects/guards.js';
import type { Checks } from './checks.js';
import type { Findings, Path } from './findings.js';
import { notInEnum, tooManyItems } from './keyword-errors.js';
import { Repeats } from './list-types.js';
import { countProperties, isLonger, isMultiple, isOneOf, isShorter } from './measures.js';
import { worded, wordsFor } from './mistake.js';
import { isEmpty } from './normalize.js';
import type { Field, Fields, Node, Table } from './table.js';
import { Validator } from './validate.js';
import { isNumber } from './value.js';

/**
 * Checks values and collects errors. Reading has already checked the types of values. Errors are in the order of the
 * schema only with `inOrder`.
 */
export class TypedValidator {
  /** Checks branches as structural kinds do, because the words of their errors do not matter. */
  readonly #branches: Validator;

  constructor(
    private readonly path: Path,
    private readonly found: Findings,
    private readonly inOrder: boolean,
  ) {
    this.#branches = new Validator(path, found, inOrder);
  }

  /** Checks a whole object except the fields of the runtime. */
  object({ root, body }: Table, object: JsonObject): void {
    this.#branches.combinations(root, object);
    this.#fields(body, root.checks, object);
  }

  #check(node: Node, value: JsonValue): void {
    const { checks } = node;
    this.#branches.combinations(node, value);
    if (typeof value === 'string') this.#text(checks, value);
    else if (isNumber(value)) this.#number(checks, value);
    if (checks.enumeration !== undefined) this.#enumeration(checks, value);
    if (Array.isArray(value)) this.#list(node, value);
    else if (isObject(value)) this.#object(node, value);
  }

  #fail({ schema }: Checks, keyword: string, value: BadValue, usual: string): void {
    this.found.push(worded(this.path.toString(), value, wordsFor(schema, keyword) ?? usual));
  }

  /** Reports the message of the definition, or the usual error if there is none. */
  #report({ schema }: Checks, keyword: string, value: BadValue, usual: (path: string) => FieldError): void {
    const words = wordsFor(schema, keyword);
    const path = this.path.toString();
    this.found.push(words === undefined ? usual(path) : worded(path, value, words));
  }

  #text(checks: Checks, value: string): void {
    if (!checks.hasTexts) return;
    const { maxLength, minLength, pattern, textFormat } = checks;
    if (maxLength !== undefined && isLonger(value, Number(maxLength))) {
      this.#fail(checks, 'maxLength', value, `Too long: may not be longer than ${maxLength}`);
    }
    if (minLength !== undefined && isShorter(value, Number(minLength))) {
      const usual = Number(minLength) === 1 ? 'Required value' : `must be at least ${minLength} characters long`;
      this.#fail(checks, 'minLength', value, usual);
    }
    if (pattern?.matches(value) === false) {
      this.#fail(checks, 'pattern', value, `must match '${pattern.source}'`);
    }
    if (textFormat !== undefined && !textFormat.matches(value)) {
      this.#fail(checks, 'format', value, `must be a valid ${textFormat.name}`);
    }
    for (const problem of checks.nameCheck?.(value) ?? []) {
      this.found.push(invalidValue(this.path.toString(), value, problem));
    }
  }

  #number(checks: Checks, value: number | bigint): void {
    if (!checks.hasNumbers) return;
    const { multipleOf, minimum, maximum, exclusiveMinimum, exclusiveMaximum } = checks.schema;
    if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
      this.#fail(checks, 'multipleOf', value, `must be a multiple of ${multipleOf}`);
    }
    if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
      const words = exclusiveMinimum ? 'greater than' : 'greater than or equal to';
      this.#fail(checks, 'minimum', value, `must be ${words} ${minimum}`);
    }
    if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
      const words = exclusiveMaximum ? 'less than' : 'less than or equal to';
      this.#fail(checks, 'maximum', value, `must be ${words} ${maximum}`);
    }
  }

  #enumeration(checks: Checks, value: JsonValue): void {
    if (checks.enumeration === undefined) return;
    const { values, texts } = checks.enumeration;
    const isAllowed =
      texts === undefined
        ? value === null || isOneOf(values, value)
        : typeof value !== 'string' || texts.includes(value);
    if (!isAllowed) this.#report(checks, 'enum', value, (path) => notInEnum(path, value, values));
  }

  /** Checks the fields of an object, then the entries of a map, then their number. */
  #object({ fields, values, checks }: Node, object: JsonObject): void {
    this.#fields(fields, checks, object);
    if (values?.canFail) {
      for (const key in object) {
        const value = object[key];
        if (this.found.full) break;
        if (value !== undefined && !fields.byName.has(key)) this.#at(`[${key}]`, () => this.#check(values, value));
      }
    }
    if (checks.hasSizes) this.#sizes(checks, object);
  }

  #sizes(checks: Checks, object: JsonObject): void {
    const { minProperties, maxProperties } = checks;
    const count = countProperties(object);
    if (minProperties !== undefined && count < minProperties) {
      this.#fail(checks, 'minProperties', object, `must have at least ${minProperties} items`);
    }
    if (maxProperties !== undefined && count > maxProperties) {
      this.#report(checks, 'maxProperties', count, (path) => tooManyItems(path, count, maxProperties));
    }
  }

  #fields({ list, byName }: Fields, { required: names }: Checks, object: JsonObject): void {
    if (this.inOrder) {
      for (const field of list) {
        const value = getOwn(object, field.name);
        if (!names.includes(field.name) || !this.#isMissing(field, value)) this.#field(field, value);
      }
      return;
    }
    for (const key in object) {
      const field = byName.get(key);
      if (field !== undefined) this.#field(field, object[key]);
    }
    for (const name of names) {
      const field = byName.get(name);
      if (field !== undefined) this.#isMissing(field, getOwn(object, name));
    }
  }

  #field({ node, shownStep }: Field, value: JsonValue | undefined): void {
    if (value !== undefined && node.canFail) this.#at(shownStep, () => this.#check(node, value));
  }

  /** Reports a required field that is missing, or empty if it must not be empty. */
  #isMissing({ node: { schema }, shownStep }: Field, value: JsonValue | undefined): boolean {
    const isMissing = schema['x-kindforge-non-empty'] === true ? isZero(value) : value === undefined;
    if (isMissing) this.found.push(required(this.path.below(shownStep), wordsFor(schema, 'required')));
    return isMissing;
  }

  #at(step: string | number, check: () => void): void {
    this.path.enter(step);
    check();
    this.path.leave();
  }

  /** Checks the items of a list, then their number. */
  #list({ items, checks }: Node, list: readonly JsonValue[]): void {
    const { minItems, maxItems, schema } = checks;
    if (items !== undefined) this.#items(items, schema['x-kindforge-unique'], list);
    if (minItems !== undefined && list.length < minItems) {
      const usual = Number(minItems) === 1 ? 'Required value' : `must have at least ${minItems} items`;
      this.#fail(checks, 'minItems', [...list], usual);
    }
    if (maxItems !== undefined && list.length > maxItems) {
      this.#report(checks, 'maxItems', list.length, (path) => tooManyItems(path, list.length, maxItems));
    }
  }

  #items(node: Node, unique: string | undefined, list: readonly JsonValue[]): void {
    if (unique === undefined && !node.canFail) return;
    const repeats = unique === undefined ? undefined : new Repeats();
    const isShown = node.schema['x-kindforge-report-as'] !== '';
    for (let i = 0; i < list.length && !this.found.full; i++) {
      const item = list[i] ?? null;
      this.path.enter(isShown ? i : '');
      const isRepeat = repeats !== undefined && unique !== undefined && this.#isRepeat(node, unique, item, repeats);
      if (!isRepeat && node.canFail) this.#check(node, item);
      this.path.leave();
    }
  }

  /**
   * Reports an item that repeats another, and returns whether it does. Callers then skip all other checks of the item.
   */
  #isRepeat(node: Node, unique: string, item: JsonValue, repeats: Repeats): boolean {
    const isWhole = unique === '.';
    const key = isWhole ? item : isObject(item) ? (getOwn(item, unique) ?? '') : '';
    if (!repeats.includes(key)) return false;
    const step = isWhole ? '' : (node.fields.byName.get(unique)?.shownStep ?? `.${unique}`);
    this.found.push(duplicate(this.path.below(step), key));
    return true;
  }
}

/** Returns whether a value is absent or the zero of its type. */
function isZero(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || value === 0 || value === false || isEmpty(value);
}
