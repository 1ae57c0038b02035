/** The schema engine: compiles schemas into tables, and works on objects by them. */

export { formatPath, parsePath, type Segment, stepsOf } from '../objects/selectors/object-path.js';
export { Copier } from './copier.js';
export { Correlation } from './correlation.js';
export { defineConversion, expressionsOf, type PlacedExpression } from './define-conversion.js';
export { type SchemaOptions, schemaFunctions } from './engine/functions.js';
export { takesValue } from './engine/parts.js';
export { checkedFormat, formatsOf, isKnownFormat, type LaterFormats } from './formats.js';
export { withoutOldRepeats } from './object-meta.js';
export { updateErrors } from './update-errors.js';
export { pathOf, violationAt } from './violation.js';
