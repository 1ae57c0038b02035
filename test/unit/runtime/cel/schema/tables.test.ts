/** Replays public tables about rules in schemas: when they apply, their operands, and their reports. */
import { describe, expect, it } from 'vitest';
import {
  compileRules,
  compileRuleTree,
  describeIssues,
  fieldPathIn,
  laterEnvironment,
  validateRules,
} from '../../../../../runtime/cel/index.js';
import type { FieldError, JsonValue, Schema, ValidationRule } from '../../../../../runtime/contract/index.js';
import { isObject } from '../../../../../runtime/objects/guards.js';
import { earlierItems } from '../../../../../runtime/schema/earlier-items.js';
import { PLAIN, readSchema } from '../../../../../runtime/schema/read-schema.js';
import { tableRows } from '../../../../support/shared.js';

const options = { plainKeywords: true };

/** A row; parts of another row have no name. */
interface Case {
  readonly name: string;
  readonly schema: JsonValue;
  readonly obj: JsonValue;
  readonly oldObj: JsonValue;
  readonly errors: readonly (string | { readonly $error: string })[] | null;
  readonly [key: string]: JsonValue | undefined | readonly (string | { readonly $error: string })[];
}

const rows = tableRows<Case>('apiextensions-apiserver_pkg_apiserver_schema_cel', revive);

/** Returns the value of a constant. The tables write numbers that JSON does not have as objects. */
function revive(_: string, value: unknown): unknown {
  return typeof value === 'object' && value !== null && '$float' in value ? Number(value.$float) : value;
}

const casesOf = (test: string): readonly Case[] =>
  rows.flatMap((row) => (row.test === test && isObject(row.case) && 'name' in row.case ? [row.case] : []));

/** Returns the schema of a row. All its rules may get an optional `oldSelf`. */
function schemaOf({ schema }: Case, takesNone = false): Schema {
  const read = readSchema(schema, PLAIN);
  const rules = read['x-kubernetes-validations'];
  if (!takesNone || rules === undefined) return read;
  return { ...read, 'x-kubernetes-validations': rules.map((rule) => ({ ...rule, optionalOldSelf: true })) };
}

function errorsOf(schema: Schema, self: JsonValue, old: JsonValue | undefined): readonly FieldError[] {
  const tree = compileRuleTree(schema, laterEnvironment, { ...options, isResource: false });
  const errors: FieldError[] = [];
  if (tree !== undefined) validateRules(tree, self, old ?? undefined, errors);
  return errors;
}

const jsonOf = (value: Case[string]): JsonValue => JSON.parse(JSON.stringify(value ?? null));

const lineOf = ({ field, message }: FieldError): string => `${field}: ${message}`;

/** Returns one line if the errors differ from the row's errors, which are parts of the messages. */
function difference({ name, errors }: Case, found: readonly FieldError[]): string[] {
  const lines = found.map(lineOf);
  const wanted = (errors ?? []).map((error) => (typeof error === 'string' ? error : error.$error));
  const right = lines.length === wanted.length && wanted.every((part) => lines.some((line) => says(line, part)));
  return right ? [] : [`${name}: found ${lines.join(' | ')}, not ${wanted.join(' | ')}`];
}

/**
 * Returns whether a line has a part. The rows call the whole value `root`, and some lack the end of a message or the
 * value's type.
 */
function says(line: string, part: string): boolean {
  const plain = part.replace(/^root\.?/, '').replace(/"null"/, '');
  return line.includes(plain) || line.replace(/"(?:object|integer|string|number)"/, '').includes(plain);
}

describe.skipIf(rows.length === 0)('tables (skipped if they are not beside the checkout)', () => {
  it('rules at all levels of a schema', () => {
    // Release 1.27 refuses rules within combinations, and so do schemas here.
    const cases = casesOf('TestValidationExpressionsAtSchemaLevels').filter(({ name }) => !name.includes('allOf'));
    expect(cases.flatMap((one) => difference(one, errorsOf(schemaOf(one), one.obj, one.oldObj)))).toEqual([]);
    expect(cases.length).toBeGreaterThan(15);
  });

  it.each(['TestOptionalOldSelf', 'TestOptionalOldSelfCheckForNull', 'TestOptionalOldSelfIsOptionalType'])(
    'an earlier state that may be absent: %s',
    (test) => {
      const cases = casesOf(test);
      expect(cases.flatMap((one) => difference(one, errorsOf(schemaOf(one, true), one.obj, one.oldObj)))).toEqual([]);
      expect(cases.length).toBeGreaterThan(4);
    },
  );

  it('reasons and fields that rules name', () => {
    const cases = casesOf('TestReasonAndFldPath');
    expect(cases.flatMap((one) => difference(one, errorsOf(schemaOf(one), one.obj, one.oldObj)))).toEqual([]);
    expect(cases.length).toBe(4);
  });

  it('paths of fields', () => {
    for (const { name, schema, fieldPath, errDetail, validFieldPath } of casesOf('TestValidateFieldPath')) {
      const found = fieldPathIn(readSchema(schema, PLAIN), String(fieldPath));
      expect(found.ok ? '' : found.problem, name).toBe(errDetail);
      if (typeof validFieldPath === 'string' && found.ok) expect(`[].${found.path}`, name).toBe(validFieldPath);
    }
  });

  it('messages that expressions yield', () => {
    const self = { str: 'a string' };
    for (const { name, message, messageExpression, costBudget, perCallLimit, expectedValidationErr } of casesOf(
      'TestMessageExpression',
    )) {
      // The cost limit of one expression cannot be changed here.
      if (perCallLimit !== 0) continue;
      const rule: ValidationRule = {
        rule: 'false',
        message: String(message),
        messageExpression: String(messageExpression),
      };
      const schema: Schema = {
        type: 'object',
        properties: { str: { type: 'string' } },
        'x-kubernetes-validations': [rule],
      };
      const tree = compileRuleTree(schema, laterEnvironment, { ...options, isResource: false });
      const errors: FieldError[] = [];
      if (tree !== undefined) validateRules(tree, self, undefined, errors, { budget: Number(costBudget) });
      expect(errors.map(lineOf).join(), name).toContain(expectedValidationErr);
    }
  });

  it('items found again by their keys', () => {
    let compared = 0;
    for (const { name, sts, items, query, expected } of casesOf('TestMapList')) {
      const schema = readSchema(jsonOf(sts), PLAIN);
      if (schema['x-kubernetes-list-type'] !== 'map' || !Array.isArray(items)) continue;
      const find = earlierItems<unknown>(items, schema['x-kubernetes-list-map-keys'] ?? []);
      expect(find(query) ?? null, name).toEqual(expected);
      compared++;
    }
    expect(compared).toBeGreaterThan(5);
  });

  it('which rules compile, and the errors of the others', () => {
    const wrong: string[] = [];
    let compared = 0;
    for (const { name, input, expectedResults } of casesOf('TestCelCompilation')) {
      const schema = readSchema(jsonOf(input), PLAIN);
      const found = compileRules(schema, laterEnvironment, { ...options, isResource: false });
      const results = Array.isArray(expectedResults) ? expectedResults : [];
      for (const { path, index, rule, outcome, message } of found) {
        if (path !== '') continue;
        compared++;
        const expected = results[index];
        const parts = (Array.isArray(expected) ? expected : [expected]).map((part) => (isObject(part) ? part : {}));
        const problem = [outcome, message?.outcome]
          .map((one) => {
            if (one === undefined || one.ok) return '';
            if ('failure' in one) return describeIssues(rule.rule, one.failure.issues);
            return one.reason === 'result'
              ? 'must evaluate to a bool, messageExpression must evaluate to a string'
              : one.reason;
          })
          .join('');
        // The rows use functions of a future release.
        if (rule.rule.includes('fakeFunction') || rule.messageExpression?.includes('fakeFunction')) continue;
        const wanted = parts.map((part) => (typeof part.contains === 'string' ? part.contains : '')).join('');
        const refused = parts.some((part) => 'errorType' in part || 'contains' in part);
        // The check of definitions adds the words before the mistake.
        const words = wanted.replace(/(?:messageExpression )?compilation failed/, '');
        if (refused !== (problem !== '') || !problem.includes(words))
          wrong.push(`${name}: ${rule.rule} ${rule.messageExpression ?? ''}: ${problem || 'right'}, not ${wanted}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(40);
  });

  /** Returns whether a rule holds for data; `oldSelf` is the other operand. */
  const holds = (schema: Schema, rule: string, self: JsonValue, old: JsonValue): boolean =>
    errorsOf({ ...schema, 'x-kubernetes-validations': [{ rule }] }, self, old).length === 0;

  it('what is equal', () => {
    const cases = casesOf('TestEquality');
    for (const { name, lhs, rhs, equal } of cases) {
      const [one, other] = [dataOf(jsonOf(lhs), String(name)), dataOf(jsonOf(rhs), String(name))];
      expect(holds(one.schema, 'self == oldSelf', one.value, other.value), name).toBe(equal);
      expect(holds(one.schema, 'oldSelf == self', one.value, other.value), name).toBe(equal);
      expect(holds(one.schema, 'self == self', one.value, other.value), name).toBe(true);
    }
    expect(cases.length).toBe(22);
  });

  it('what lists and maps hold', () => {
    for (const { name, schema, unstructured, addition, expectAdded, size } of casesOf('TestLister')) {
      const read = readSchema(schema, PLAIN);
      expect(holds(read, `self.size() == ${size}`, jsonOf(unstructured), null), name).toBe(true);
      const lists: Schema = { type: 'array', items: read };
      const data = [unstructured, addition, expectAdded].map(jsonOf);
      expect(holds(lists, 'self[0] + self[1] == self[2]', data, null), name).toBe(true);
    }
    for (const { name, schema, unstructured, notContains, size } of casesOf('TestMapper')) {
      const read = readSchema(schema, PLAIN);
      const names = Object.keys(jsonOf(unstructured) ?? {});
      const [absent] = Array.isArray(notContains) ? notContains : [];
      for (const field of names) expect(holds(read, `has(self.${field})`, jsonOf(unstructured), null), name).toBe(true);
      if (read.additionalProperties === undefined) continue;
      expect(holds(read, `self.size() == ${size} && !('${absent}' in self)`, jsonOf(unstructured), null)).toBe(true);
    }
  });

  it('expressions that nest too deep', () => {
    for (const { valid, errors, schema, obj } of casesOf('TestCELMaxRecursionDepth')) {
      const ruled = (rule: string): Schema => ({
        ...readSchema(schema, PLAIN),
        'x-kubernetes-validations': [{ rule }],
      });
      for (const rule of Array.isArray(valid) ? valid : [])
        expect(errorsOf(ruled(String(rule)), obj, null)).toEqual([]);
      for (const [rule, message] of Object.entries(errors ?? {}))
        expect(errorsOf(ruled(rule), obj, null)[0]?.message).toContain(message);
    }
  });
});

/** Returns the data of an operand, with its schema. */
function dataOf(operand: JsonValue, name: string): { readonly schema: Schema; readonly value: JsonValue } {
  if (!isObject(operand)) throw new Error('no operand');
  const { value, schema, escapedKeyProps, unstructuredList = operand } = operand;
  if (value !== undefined) return { schema: readSchema(structural(schema), PLAIN), value };
  if (!isObject(unstructuredList)) throw new Error('no list');
  const items = readSchema(structural(unstructuredList.itemsSchema), PLAIN);
  const list: Schema = { type: 'array', items };
  const elements = unstructuredList.elements ?? null;
  if (Array.isArray(escapedKeyProps)) {
    const keys = {
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': escapedKeyProps.map(String),
    } as const;
    return { schema: { ...list, ...keys }, value: elements };
  }
  return { schema: name.startsWith('set') ? { ...list, 'x-kubernetes-list-type': 'set' } : list, value: elements };
}

const structural = (holder: JsonValue | undefined): JsonValue =>
  isObject(holder) ? (holder.Structural ?? null) : null;
