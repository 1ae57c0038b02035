/** The schema compiler. */
export {
  type CompiledSchema,
  type CompileOptions,
  compileSchema,
  type DefineOptions,
  defineFunctions,
} from './compile.js';
export { compileConversion, instantiateConversion } from './conversion/compile.js';
export { expressionsOf, type PlacedExpression } from './conversion/expressions.js';
export { formatPath, parsePath, type Segment, stepsOf } from './conversion/path.js';
export {
  type Definition,
  type Definitions,
  keyOf,
  reachable,
  referencesOf,
  withReferences,
} from './emit/definitions.js';
export { type Import, type Module, printModule, reservedNames } from './emit/print-module.js';
export { referenceTo } from './emit/references.js';
export { instantiate } from './instantiate.js';
export { withoutOldRepeats } from './old-repeats.js';
