/** Whether schemas are structural: every field has one type, and rules on values say nothing of types. */
export { nonStructuralSchema, type SchemaFinding } from './conditions.js';
export { type Finding, fieldPath } from './findings.js';
export { isTypeChoice, junctorKeys } from './junctors.js';
export * from './list-rules.js';
export * from './node-rules.js';
export { patternProblem } from './pattern-problem.js';
export * from './reading.js';
export { structuralErrors } from './structural-errors.js';
export { schemasBelow, unreadableProblem, withAllBelow } from './unreadable.js';
