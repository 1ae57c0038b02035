/** Prints what a comparison is made of as JSON, integers of any size in full. */
import { encodeJson } from '../../../runtime/codec/json.js';
import { plainValue } from '../compare/plain-schema.js';

/** Prints JSON on one line, or with an indent. Keys with `undefined` are left out. */
export const printJson = (value: unknown, indent = false): string => encodeJson(plainValue(value) ?? null, indent);
