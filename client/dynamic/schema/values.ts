/** Holds a value by itself against a schema: its type, and the bounds that the schema sets. */
import type { OpenApiSchema } from './open-api-schema.js';

/** A value that does not fit. */
export interface Fault {
  readonly reason: 'type' | 'value';
  readonly message: string;
}

/** The first fault of a value, without a look into its fields and items. */
export function faultOf(value: unknown, schema: OpenApiSchema): Fault | undefined {
  const type = typeFault(value, schema);
  if (type !== undefined) return { reason: 'type', message: type };
  const message = boundFault(value, schema);
  return message === undefined ? undefined : { reason: 'value', message };
}

const words: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'an integer',
  number: 'a number',
  boolean: 'a boolean',
  array: 'a list',
  object: 'an object',
};

function typeFault(value: unknown, schema: OpenApiSchema): string | undefined {
  const is = typeOf(value);
  const isOwn = (wanted: string): boolean => wanted === is || (wanted === 'number' && is === 'integer');
  if (schema['x-kubernetes-int-or-string']) {
    return isOwn('integer') || isOwn('string') ? undefined : `must be an integer or a string, and is ${words[is]}`;
  }
  const { type } = schema;
  if (type === undefined || isOwn(type)) return undefined;
  return `must be ${words[type] ?? type}, and is ${words[is]}`;
}

function typeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

function boundFault(value: unknown, schema: OpenApiSchema): string | undefined {
  const { enum: choices } = schema;
  if (choices && typeof value !== 'object' && !choices.includes(value)) {
    return `must be one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  }
  if (typeof value === 'string') return textFault(value, schema);
  if (typeof value === 'number' || typeof value === 'bigint') return numberFault(value, schema);
  if (Array.isArray(value)) return sizeFault(value.length, 'items', schema.minItems, schema.maxItems);
  const { minProperties, maxProperties } = schema;
  return typeof value === 'object' && value !== null
    ? sizeFault(Object.keys(value).length, 'fields', minProperties, maxProperties)
    : undefined;
}

function textFault(value: string, { minLength, maxLength, pattern }: OpenApiSchema): string | undefined {
  // Characters are code points, as the server counts them.
  const size = sizeFault([...value].length, 'characters', minLength, maxLength);
  if (size !== undefined || pattern === undefined) return size;
  return compiled(pattern)?.test(value) === false ? `must match ${pattern}` : undefined;
}

/** Patterns are those of the server's language; one that JavaScript cannot read is left to the server. */
function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

function numberFault(value: number | bigint, schema: OpenApiSchema): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) {
    return `must be ${exclusiveMinimum ? 'more than' : 'at least'} ${minimum}`;
  }
  if (maximum !== undefined && (exclusiveMaximum ? value >= maximum : value > maximum)) {
    return `must be ${exclusiveMaximum ? 'less than' : 'at most'} ${maximum}`;
  }
  // Fractions cannot be divided exactly: those are left to the server.
  const exact = Number.isInteger(multipleOf) && Number.isSafeInteger(Number(value));
  return exact && Number(value) % (multipleOf ?? 1) !== 0 ? `must be a multiple of ${multipleOf}` : undefined;
}

function sizeFault(size: number, of: string, least: number | undefined, most: number | undefined): string | undefined {
  if (least !== undefined && size < least) return `must have at least ${least} ${of}, and has ${size}`;
  if (most !== undefined && size > most) return `must have at most ${most} ${of}, and has ${size}`;
  return undefined;
}
