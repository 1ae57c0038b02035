/** Prints what a comparison is made of as JSON, integers of any size in full. */
import { encodeJson } from '../../../runtime/codec/json.js';
import { plainValue } from '../compare/plain-schema.js';

/** JSON on one line, or with an indent. Keys that hold `undefined` are left out. */
export const printJson = (value: unknown, indent = false): string => encodeJson(plainValue(value) ?? null, indent);
