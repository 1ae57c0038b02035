/** Expressions of webhooks and policies: each must compile and yield an allowed type. */

import type { MatchCondition, Variable } from '../../generated/types/admissionregistration/v1/types.js';
import {
  admissionEnvironment,
  type CompileFailure,
  compileExpression,
  describeIssues,
  dyn,
  type EnvironmentOptions,
  formatType,
  laterEnvironment,
  type Type,
  type Visible,
} from '../../runtime/cel/index.js';
import { environmentOf } from '../../runtime/cel/releases.js';
import type { Draft, FieldError } from '../../runtime/contract/index.js';
import { duplicate, internalError, invalidValue, required, tooMany } from '../../runtime/objects/field-error.js';
import { memoize, memoizeByObject } from '../../runtime/objects/memoize.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import type { Release } from '../../runtime/objects/release.js';

/** The variables and functions that the expressions of an object may use. */
export interface Seen extends Visible {
  /** The expressions of the stored object. They may use all functions. */
  readonly kept?: ReadonlySet<string>;
}

/** The variables that an expression may use, and the types that it may yield. */
export interface Compiled extends Seen {
  /** Types as messages name them. */
  readonly yields: readonly ('bool' | 'string' | 'null_type' | 'Object' | 'list(JSONPatch)')[];
}

/** Checks an expression that is not empty. */
export function expressionErrors(text: string, field: string, { yields, ...visible }: Compiled): readonly FieldError[] {
  const checked = checkExpression(text, visible);
  if (checked.problem !== undefined) return [problemError(text, field, checked, visible)];
  const { type = dyn } = checked;
  const found = type.kind === 'null' ? 'null_type' : formatType(type);
  if (yields.some((wanted) => wanted === found)) return [];
  const got = visible.later ? ` but got ${found}` : '';
  return [invalidValue(field, text, `must evaluate to ${resultText(yields)}${got}`)];
}

/**
 * Returns the error of an expression that cannot be used. After release 1.27, constants that always fail count as
 * errors of the server.
 */
function problemError(
  text: string,
  field: string,
  { problem = '', isProgram = false }: Checked,
  { later = false }: Visible,
): FieldError {
  return isProgram && later ? internalError(field, problem) : invalidValue(field, text, problem);
}

/** Returns the type of an expression, or its problem. Recent results are cached. */
export function checkExpression(text: string, { kept, ...seen }: Seen): Checked {
  const narrow = kept?.has(text) ? laterEnvironment : (seen.narrow ?? laterEnvironment);
  const visible = { ...seen, narrow };
  // The cache does not know the types of a policy's own variables.
  if (visible.variables) return checkOnce(text, visible);
  const { params, authorizer, later = false, patches = false } = visible;
  const key = `${params} ${authorizer} ${later} ${patches}`;
  const checkers = checkersFor(narrow);
  const check = checkers.get(key) ?? checker({ params, authorizer, later, patches, narrow });
  checkers.set(key, check);
  return check(text);
}

/** Finds the functions that the expressions of an object may use. */
export interface Functions {
  /** Remembers the expressions of the stored object, which an update may keep. */
  keep(object: object, old: object | undefined): void;
  of(object: object): Pick<Seen, 'narrow' | 'kept'>;
}

/** Returns the functions for new expressions of a release; the stored ones may use all. */
export function functionsIn(release: Release): Functions {
  const narrow = environmentOf(release, 'new');
  const known = new WeakMap<object, ReadonlySet<string>>();
  return {
    keep: (object, old) => {
      if (old !== undefined) known.set(object, new Set(expressionsIn(old)));
    },
    of: (object) => ({ narrow, kept: known.get(object) ?? new Set() }),
  };
}

const expressionFields = new Set(['expression', 'messageExpression', 'valueExpression']);

/** Yields all expressions in a value, as they are and trimmed. */
function* expressionsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'string' && expressionFields.has(name)) yield* [part, part.trim()];
    else yield* expressionsIn(part);
  }
}

interface Checked {
  readonly problem?: string;
  /** Whether the types are right, but a constant part of it always fails. */
  readonly isProgram?: boolean;
  /** Absent if there is a problem. */
  readonly type?: Type;
}

const checkersFor = memoizeByObject((_narrow: EnvironmentOptions) => new Map<string, (text: string) => Checked>());

function checkOnce(text: string, visible: Visible): Checked {
  const compiled = compileExpression(text, admissionEnvironment(visible));
  if (compiled.ok) return { type: compiled.expression.type };
  return { problem: failureText(text, compiled.failure), isProgram: compiled.failure.phase === 'program' };
}

/** Creates a cached check. The cache has room for more expressions than one body can hold. */
function checker(visible: Visible): (text: string) => Checked {
  return memoize((text: string) => checkOnce(text, visible), {
    most: Number.POSITIVE_INFINITY,
    longest: 64 * 1024,
    together: 4 * 1024 * 1024,
  });
}

const resultText = (names: Compiled['yields']): string =>
  names.length === 1 ? (names[0] ?? '') : `one of [${names.join(' ')}]`;

function failureText(text: string, { phase, issues }: CompileFailure): string {
  if (phase === 'program') return `program instantiation failed: ${issues.map(({ message }) => message).join('; ')}`;
  return `compilation failed: ${describeIssues(text, issues)}`;
}

/** Checks the variables of a policy. Returns the errors, and what later expressions may use. */
export function checkVariables(
  variables: readonly Draft<Variable>[] | undefined,
  field: string,
  visible: Seen,
): { readonly errors: readonly FieldError[]; readonly visible: Seen } {
  if (!variables?.length) return { errors: [], visible };
  const types = new Map<string, Type>();
  const errors = variables.flatMap(({ name = '', expression = '' }, i) => {
    const at = `${field}[${i}]`;
    const checked: Checked =
      expression.trim() === '' ? {} : checkExpression(expression, { ...visible, variables: new Map(types) });
    types.set(name, checked.type ?? dyn);
    return [
      ...variableNameErrors(name, `${at}.name`),
      ...(expression.trim() === '' ? [required(`${at}.expression`, 'expression is not specified')] : []),
      ...(checked.problem === undefined ? [] : [problemError(expression, `${at}.expression`, checked, visible)]),
    ];
  });
  return { errors, visible: { ...visible, variables: types } };
}

function variableNameErrors(name: string, field: string): readonly FieldError[] {
  if (name.trim() === '') return [required(field, 'name is not specified')];
  if (/^[_a-zA-Z][_a-zA-Z0-9]*$/.test(name) && !reserved.has(name)) return [];
  return [invalidValue(field, name, 'must be a valid CEL identifier')];
}

/** Words of the language that cannot be names. */
const reserved: ReadonlySet<string> = new Set([
  ...['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import'],
  ...['let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while'],
]);

const maxConditions = 64;

type Condition = Draft<MatchCondition>;

/** Checks the conditions of a webhook or policy; `sees` says which variables they may use. */
export function matchConditionErrors(
  conditions: readonly Condition[] | undefined,
  field: string,
  sees: Compiled,
): readonly FieldError[] {
  if (conditions === undefined) return [];
  const seen = new Set<string>();
  const errors = conditions.flatMap((condition, i) => {
    const { name = '' } = condition;
    const again = name !== '' && seen.has(name) ? [duplicate(`${field}[${i}].name`, name)] : [];
    seen.add(name);
    return [...conditionErrors(condition, `${field}[${i}]`, sees), ...again];
  });
  const { length } = conditions;
  return length > maxConditions ? [tooMany(field, length, maxConditions), ...errors] : errors;
}

/** Checks expressions step by step; the results are kept for later checks. */
export function* checkConditions(conditions: readonly Condition[] = [], sees: Compiled): Generator<undefined> {
  for (const { expression = '' } of conditions) {
    const text = expression.trim();
    if (text !== '') checkExpression(text, sees);
    yield;
  }
}

function conditionErrors(
  { name = '', expression = '' }: Condition,
  field: string,
  sees: Compiled,
): readonly FieldError[] {
  const text = expression.trim();
  const errors = text === '' ? [required(`${field}.expression`)] : expressionErrors(text, `${field}.expression`, sees);
  if (name === '') return [...errors, required(`${field}.name`)];
  return [...errors, ...qualifiedNameCheck(name).map((problem) => invalidValue(`${field}.name`, name, problem))];
}
