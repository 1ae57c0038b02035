/** The functions that generated conversions and validators call. */
export { defineConversion } from './define-conversion.js';
export { defineValidator, type ValidatorOptions } from './validator.js';
