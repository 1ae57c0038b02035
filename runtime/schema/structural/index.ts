/** Whether schemas are structural: every field has one type, and rules on values say nothing of types. */
export { nonStructuralSchema, type SchemaFinding } from './conditions.js';
export * from './reading.js';
export { structuralErrors } from './structural-errors.js';
export { schemasBelow, unreadableProblem, withAllBelow } from './unreadable.js';
