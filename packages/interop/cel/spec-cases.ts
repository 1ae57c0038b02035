/** Runs the public CEL conformance cases against the engine. */
import {
  getCheckingSuite,
  getComprehensionSuite,
  getConformanceSuite,
  getParsingSuite,
  type IncrementalTest,
  type IncrementalTestSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import {
  formatCELType,
  KindAdorner,
  SemanticAdorner,
  toDebugString,
} from '@bufbuild/cel-spec/testdata/to-debug-string.js';
import { check } from '../../../runtime/cel/check/checker.js';
import { bool, bytes, double, formatType, int, nullType, string, uint } from '../../../runtime/cel/check/types.js';
import { compileExpression } from '../../../runtime/cel/compile-expression.js';
import {
  Environment,
  type FunctionDeclaration,
  type Library,
  type Variable,
} from '../../../runtime/cel/environment.js';
import { allLibraries } from '../../../runtime/cel/library/index.js';
import type { MacroGroup } from '../../../runtime/cel/syntax/macros.js';
import { parse } from '../../../runtime/cel/syntax/parser.js';
import type { CelValue } from '../../../runtime/cel/values/value.js';
import { same } from '../../../test/support/cel/same-value.js';
import { toSpec } from './spec-ast.js';
import { NotApplicable, toType, toValue } from './spec-values.js';

/** A case, and the stage in which the engine must agree. */
export interface SpecCase {
  readonly name: string;
  readonly stage: 'parse' | 'check' | 'evaluate';
  /** Returns the difference from the expectation; `undefined` if the engine agrees. */
  run(): string | undefined;
}

/** Returns the cases by suite. Leaves out cases that need protobuf messages or enums, and counts them. */
export function specCases(): { cases: SpecCase[]; left: number } {
  const cases: SpecCase[] = [];
  let left = 0;
  const taken = new Set<string>();
  const add = (one: SpecCase, test: IncrementalTest): void => {
    if (!isApplicable(test)) {
      left++;
      return;
    }
    let { name } = one;
    for (let i = 2; taken.has(`${one.stage} ${name}`); i++) name = `${one.name} (${i})`;
    taken.add(`${one.stage} ${name}`);
    cases.push({ ...one, name });
  };
  for (const { path, test } of flatten(getParsingSuite(), '')) {
    add({ name: `${path}${test.name}`, stage: 'parse', run: () => parsing(test) }, test);
  }
  for (const { path, test } of flatten(getCheckingSuite(), '')) {
    add({ name: `${path}${test.name}`, stage: 'check', run: () => checking(test) }, test);
  }
  for (const { path, test } of [...flatten(getConformanceSuite(), ''), ...flatten(getComprehensionSuite(), '')]) {
    // The cases of comprehensions have expressions, but no results.
    if (!path.startsWith('comprehensions'))
      add({ name: `${path}${test.name}`, stage: 'evaluate', run: () => evaluation(test) }, test);
    if (test.ast !== undefined)
      add({ name: `${path}${test.name}`, stage: 'parse', run: () => parsing(test, plainMacros) }, test);
    if (test.checkedAst !== undefined)
      add({ name: `${path}${test.name}`, stage: 'check', run: () => checking(test) }, test);
  }
  return { cases, left };
}

/** A case of the stage `evaluate`, for other engines. */
export interface EvaluationCase {
  readonly name: string;
  readonly text: string;
  readonly variables: Readonly<Record<string, CelValue>>;
  readonly environment: Environment;
  /** Whether to evaluate without a check of types. */
  readonly unchecked: boolean;
  /** The result. If the case expects an error, any error is right. */
  readonly expected: { readonly value: CelValue } | 'error';
}

/** Returns the cases of evaluation, without cases that only check. */
export function evaluationCases(): readonly EvaluationCase[] {
  const tests = [...flatten(getConformanceSuite(), '')].filter(
    ({ test }) => isApplicable(test) && !test.original.checkOnly,
  );
  return tests.map(({ path, test }) => ({
    name: `${path}${test.name}`,
    text: test.original.expr,
    variables: bindings(test),
    environment: environment(test),
    unchecked: test.original.disableCheck,
    expected: wantsError(test) ? 'error' : { value: expectedOf(test) },
  }));
}

const wantsError = ({ original: { resultMatcher } }: IncrementalTest): boolean =>
  resultMatcher.case === 'evalError' || resultMatcher.case === 'anyEvalErrors';

function expectedOf({ original: { resultMatcher } }: IncrementalTest): CelValue {
  if (resultMatcher.case === 'value') return toValue(resultMatcher.value);
  const result = resultMatcher.case === 'typedResult' ? resultMatcher.value.result : undefined;
  return result === undefined ? true : toValue(result);
}

function flatten(suite: IncrementalTestSuite, path: string): { path: string; test: IncrementalTest }[] {
  const own = `${path}${suite.name}/`;
  return [...suite.tests.map((test) => ({ path: own, test })), ...suite.suites.flatMap((inner) => flatten(inner, own))];
}

/** Matches messages of protobuf, enums and the blocks of optimizers, which the engine does not have. */
const foreign =
  /TestAllTypes|TestRequired|NestedTestAllTypes|GlobalEnum|google\.(?!protobuf\.(?:Timestamp|Duration)\b)|google\.protobuf\.(?:Timestamp|Duration)\{|proto\.(?:getExt|hasExt)|cel\.(?:block|index|iterVar|accuVar)|Proto2Message|x\{\?/;

function isApplicable(test: IncrementalTest): boolean {
  const { original } = test;
  if (foreign.test(original.expr) || foreign.test(original.container)) return false;
  try {
    declarations(test);
    bindings(test);
    if (original.resultMatcher.case === 'value') toValue(original.resultMatcher.value);
    if (original.resultMatcher.case === 'typedResult' && original.resultMatcher.value.result !== undefined)
      toValue(original.resultMatcher.value.result);
    return original.resultMatcher.case !== 'unknown' && original.resultMatcher.case !== 'anyUnknowns';
  } catch (error) {
    if (error instanceof NotApplicable) return false;
    throw error;
  }
}

function declarations({ original }: IncrementalTest): {
  variables: Record<string, Variable>;
  functions: FunctionDeclaration[];
} {
  const variables: Record<string, Variable> = {};
  const functions: FunctionDeclaration[] = [];
  for (const { name, declKind } of original.typeEnv) {
    if (declKind.case === 'ident') variables[name] = { type: toType(declKind.value.type) };
    if (declKind.case === 'function') {
      const overloads = declKind.value.overloads.map(({ overloadId, isInstanceFunction, params, resultType }) => ({
        id: overloadId,
        member: isInstanceFunction,
        params: params.map(toType),
        result: toType(resultType),
      }));
      functions.push({ name, overloads });
    }
  }
  return { variables, functions };
}

function bindings({ original }: IncrementalTest): Record<string, CelValue> {
  return Object.fromEntries(
    Object.entries(original.bindings).flatMap(([name, { kind }]) =>
      kind.case === 'value' ? [[name, toValue(kind.value)]] : [],
    ),
  );
}

function environment(test: IncrementalTest, mixedComparisons = true): Environment {
  const { variables, functions } = declarations(test);
  const common = commonDeclarations;
  const own: Library = { name: 'case', functions: [...common.functions, ...functions] };
  return new Environment({
    libraries: [...(test.original.disableMacros ? allLibraries.map(withoutMacros) : allLibraries), own],
    variables: { ...common.variables, ...variables },
    container: test.original.container,
    mixedLiterals: true,
    mixedComparisons,
    escapedNames: true,
  });
}

/** Names that the cases of the checker use without a declaration. */
const commonDeclarations = {
  variables: {
    is: { type: string },
    ii: { type: int },
    iu: { type: uint },
    iz: { type: bool },
    ib: { type: bytes },
    id: { type: double },
    ix: { type: nullType },
  },
  functions: [
    { name: 'fg_s', overloads: [{ id: 'fg_s_0', member: false, params: [], result: string }] },
    { name: 'fi_s_s', overloads: [{ id: 'fi_s_s_0', member: true, params: [string], result: string }] },
  ],
} as const;

const withoutMacros = (library: Library): Library => ({ ...library, macros: [] });

const flat = (text: string): string => text.replaceAll('__result__', '@result').replace(/\s+/g, ' ');

/** The trees of the conformance suite come from a parser without extensions. */
const plainMacros = new Set(['standard'] as const);

function parsing(test: IncrementalTest, only?: ReadonlySet<MacroGroup>): string | undefined {
  const { macros: all, optionalSyntax } = environment(test);
  const macros = test.original.disableMacros ? all : (only ?? all);
  const limits = /recursion/.test(test.error ?? '') ? { maxDepth: 32 } : {};
  const switched = /unsupported syntax/.test(test.error ?? '');
  const parsed = parse(test.original.expr, {
    macros,
    optionalSyntax: optionalSyntax && !switched,
    escapedNames: !switched,
    ...limits,
  });
  if (!parsed.ok)
    return test.ast === undefined ? undefined : `refused: ${parsed.issues.map(({ message }) => message).join('; ')}`;
  if (test.ast === undefined) return 'accepted';
  const found = toDebugString(toSpec(parsed.expr).expr, KindAdorner.singleton);
  return flat(found) === flat(test.ast) ? undefined : `tree: ${flat(found)} instead of ${flat(test.ast)}`;
}

/**
 * Checks with and without comparisons of different number types, because the cases do not say which. One must agree.
 */
function checking(test: IncrementalTest): string | undefined {
  const difference = checkingIn(test, environment(test, true));
  return difference === undefined ? undefined : checkingIn(test, environment(test, false));
}

function checkingIn(test: IncrementalTest, env: Environment): string | undefined {
  const optionalSyntax = env.optionalSyntax && !/unsupported syntax/.test(test.error ?? '');
  const parsed = parse(test.original.expr, { macros: env.macros, optionalSyntax, escapedNames: true });
  if (!parsed.ok) return test.checkedAst === undefined ? undefined : `not parsed: ${parsed.issues[0]?.message}`;
  const result = check(parsed.expr, env);
  if (!result.ok)
    return test.checkedAst === undefined
      ? undefined
      : `refused: ${result.issues.map(({ message }) => message).join('; ')}`;
  if (test.checkedAst === undefined) return 'accepted';
  const { checkedExpr } = toSpec(parsed.expr, result.checked);
  if (checkedExpr.expr === undefined) return 'no tree';
  const found = toDebugString(checkedExpr.expr, new SemanticAdorner(checkedExpr));
  if (flat(found) !== flat(test.checkedAst)) return `tree: ${flat(found)} instead of ${flat(test.checkedAst)}`;
  return test.type === undefined || formatType(result.type) === test.type
    ? undefined
    : `type ${formatType(result.type)}`;
}

function evaluation(test: IncrementalTest): string | undefined {
  const { original } = test;
  const { resultMatcher } = original;
  const compiled = compileExpression(original.expr, environment(test), { unchecked: original.disableCheck });
  if (!compiled.ok) {
    if (wantsError(test)) return undefined;
    return `refused: ${compiled.failure.issues.map(({ message }) => message).join('; ')}`;
  }
  const { expression } = compiled;
  const deduced = resultMatcher.case === 'typedResult' ? resultMatcher.value.deducedType : undefined;
  if (deduced !== undefined && formatCELType(deduced) !== formatType(expression.type)) {
    return `type ${formatType(expression.type)} instead of ${formatCELType(deduced)}`;
  }
  if (original.checkOnly) return undefined;
  const outcome = expression.evaluate(bindings(test), 10_000_000);
  if (wantsError(test)) return outcome.ok ? 'no error' : undefined;
  if (!outcome.ok) return `error: ${outcome.message}`;
  const expected = expectedOf(test);
  return same(outcome.value, expected) ? undefined : `value ${show(outcome.value)} instead of ${show(expected)}`;
}

function show(value: CelValue): string {
  return JSON.stringify(value, (_, item: unknown) => (typeof item === 'bigint' ? `${item}` : item)) ?? String(value);
}
