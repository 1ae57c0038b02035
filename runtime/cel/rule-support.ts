/** The functions that generated rules call. */
import { type OverloadTable, overloadTable } from './compile/program.js';
import { Environment } from './environment.js';
import { laterEnvironment } from './releases.js';

export type { Data } from './compile/readers.js';
export * from './compile/support.js';
export { type DefinedExpressions, defineConversionExpressions } from './conversion/define-expressions.js';
export { defineRules, type PrintedRule } from './schema/define-rules.js';
export { ruleCheck } from './schema/rule-check.js';
export type { CelValue, Duration, Int, Timestamp } from './values/value.js';

/** The functions of the latest release. What is beyond them, the variables of a rule, programs know by themselves. */
export const overloads: OverloadTable = overloadTable(new Environment(laterEnvironment));
