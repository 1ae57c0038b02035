/** Reads parts of specs that validation has let in, and that may come from an earlier release nevertheless. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';

export const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

export const listOf = (value: JsonValue | undefined): readonly JsonValue[] => (Array.isArray(value) ? value : []);

export const textOf = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export const numberOf = <T>(value: JsonValue | undefined, otherwise: T): number | T =>
  typeof value === 'number' ? value : otherwise;
