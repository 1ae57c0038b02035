/** What generated schema functions may call; published as `kindforge/schema-support`. */
export { equal } from '../objects/equality.js';
export { duplicate, forbidden, invalidValue, notSupported, required, tooMany } from '../objects/field-error.js';
export { getOwn, isObject, setOwn } from '../objects/guards.js';
export * from './support/combinations.js';
export * from './support/embedded.js';
export { Findings } from './support/findings.js';
export { type StringFormat, stringFormat } from './support/formats/index.js';
export * from './support/keyword-errors.js';
export * from './support/list-types.js';
export * from './support/measures.js';
export * from './support/mismatch.js';
export * from './support/nulls.js';
export * from './support/pattern.js';
export * from './support/readers.js';
export * from './support/type-errors.js';
export * from './support/typed.js';
export * from './support/unknown-fields.js';
export * from './support/value.js';
