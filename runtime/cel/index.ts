/** The expression engine, with the functions that generated rules call; published as `kindforge/cel`. */
export { type AccessVariable, accessEnvironment } from './access-environment.js';
export {
  admissionEnvironment,
  type KnownTypes,
  typedAdmissionEnvironment,
  type Visible,
  variablesTypeName,
} from './admission-environment.js';
export { check } from './check/checker.js';
export type { Range } from './check/range.js';
export {
  callCostLimit,
  conditionsCostLimit,
  objectCostLimit,
  policyCostLimit,
  ruleCostLimit,
  schemaCostLimit,
} from './check/range.js';
export type { Checked, Reference } from './check/references.js';
export { dyn, formatType, type Type } from './check/types.js';
export type { EvaluationResult } from './compile-expression.js';
export {
  type CompileFailure,
  type CompileOptions,
  type CompileResult,
  compileExpression,
  type Expression,
} from './compile-expression.js';
export {
  type ConversionExpression,
  type ConvertedSchemas,
  compileExpressions,
} from './compile-expressions.js';
export {
  Environment,
  type EnvironmentOptions,
  type FunctionDeclaration,
  type Library,
  type ObjectType,
  type Overload,
  type Variable,
} from './environment.js';
export { type Ask, type AskedResource, authorizerValue, resourceCheckValue } from './library/authorizer.js';
export { namespaceValue } from './library/namespaces.js';
export { configurationType, jsonPatchType, misplacedParts } from './library/patches.js';
export { standardLibrary } from './library/standard.js';
export { instantiateExpressions, printExpressions } from './print-expressions.js';
export { baseEnvironment, laterEnvironment } from './releases.js';
export * from './rule-support.js';
export { type DataField, type DataType, dynamicData } from './schema/data-type.js';
export { checkDefaults, type DefaultFindings } from './schema/default-errors.js';
export { type FieldPath, fieldPathIn } from './schema/field-path.js';
export { type DataTypeOptions, dataTypeOf, laterReading } from './schema/from-schema.js';
export { escapeName } from './schema/names.js';
export { printRules } from './schema/print-rules.js';
export { checkRules, type RuleFailure, type RuleFault, ruleFaults, ruleReasons } from './schema/rule-faults.js';
export { arrangeRules, compileRuleTree, type PlacedRule, type RulePlace } from './schema/rule-tree.js';
export { compileRules, type ReleaseOf, type RuleOutcome, type SchemaRule } from './schema/rules.js';
export { type RuleRatchet, validateRules } from './schema/validate-rules.js';
export type { Expr } from './syntax/ast.js';
export type { ParserOptions } from './syntax/grammar.js';
export { type Parsed, parse } from './syntax/parser.js';
export { describeIssues, type Issue } from './syntax/source.js';
export { EvaluationError } from './values/error.js';
export { toJson } from './values/json.js';
export { type CelValue, isList, itemsOf, StructValue } from './values/value.js';
