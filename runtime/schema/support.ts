/** What generated schemas and validators call; published as `kindforge/schema-support`. */
export { defineConversion } from './conversion/define-conversion.js';
export { defineValidator, type ValidatorOptions } from './validator.js';
