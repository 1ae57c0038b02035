/**
 * Checks whether schemas are structural: every field has one type, and `allOf` and similar keywords do not set types.
 */
export { type Finding, type SchemaRule, schemaFindings } from './check-schema.js';
export { keysOf, type ListRule, listType, mapKeys, mapType } from './list-rules.js';
export { intOrString, type KeywordRule, keepsUnknown, types } from './node-rules.js';
export { junctorLists, says, schemaAt, valueAt, type WrittenSchema } from './reading.js';
export { type RootRule, rootFindings, statusRootKeywords } from './root-rules.js';
export { embedded, type Level, type Path, pathOf, type SchemaNode, type SchemaPath, topNode } from './schema-node.js';
export { errorsOf, must, never, structuralErrors, structuralErrorsAmong, type Words } from './structural-errors.js';
export { nonStructuralSchema, schemasBelow, unreadableProblem, withAllBelow } from './unreadable.js';
export { type TextRule, validations } from './value-rules.js';
