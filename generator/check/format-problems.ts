/** Says in plain words what a validator of JSON Schema found. */
import type { ErrorObject } from 'ajv';
import type { JsonObject, JsonValue } from '../../runtime/contract/index.js';
import { didYouMean } from '../../runtime/objects/suggest.js';
import { get, isObject, type Raw } from '../../runtime/schema/read.js';
import type { Code } from '../diagnostics/codes.js';
import type { Path, Problem } from '../diagnostics/problem.js';

/** Converts an error of the validator into a problem. Returns nothing for errors that only sum up others. */
export function toProblem(error: ErrorObject, root: JsonObject, unknownKey: Code): Problem | undefined {
  const path = toPath(error.instancePath, root);
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case 'if':
      return undefined;
    case 'additionalProperties':
      return unknown(error, path, String(params.additionalProperty), unknownKey);
    case 'required':
      return { code: 'KF2004', path, message: `\`${String(params.missingProperty)}\` is missing${inside(path)}` };
    case 'type':
      return wrongType(error, path, String(params.type));
    case 'enum':
    case 'const':
      return notAllowed(error, path, params);
    default:
      return { code: 'KF2007', path, message: `${nameOf(path)} ${bound(error)}` };
  }
}

function unknown(error: ErrorObject, path: Path, key: string, code: Code): Problem {
  const keys = isObject(error.parentSchema?.properties) ? Object.keys(error.parentSchema.properties) : [];
  return {
    code: isSchemaKeyword(key) ? 'KF3001' : code,
    path: [...path, key],
    at: 'key',
    message: isSchemaKeyword(key)
      ? `\`${key}\` cannot be part of a structural schema`
      : `unknown key \`${key}\`${inside(path)}`,
    suggestion: () => didYouMean(key, keys),
  };
}

/** Keywords of JSON Schema and OpenAPI that servers refuse rather than drop. */
const REFUSED = new Set([
  '$schema',
  '$ref',
  'id',
  'definitions',
  'dependencies',
  'patternProperties',
  'additionalItems',
]);

function isSchemaKeyword(key: string): boolean {
  return REFUSED.has(key);
}

/** Reports a wrong type. Integers beyond 2^53 are numbers too, which the validator does not know. */
function wrongType(error: ErrorObject, path: Path, type: string): Problem | undefined {
  if (typeof error.data === 'bigint' && (type === 'integer' || type === 'number')) return undefined;
  const nouns: Readonly<Record<string, string>> = {
    object: 'a mapping',
    array: 'a list',
    string: 'a string',
    boolean: 'true or false',
    integer: 'a whole number',
    number: 'a number',
  };
  const quoted = type === 'string' && (typeof error.data === 'number' || typeof error.data === 'boolean');
  const suggestion = quoted ? { suggestion: `write it in quotes: "${String(error.data)}"` } : {};
  return {
    code: 'KF2005',
    path,
    message: `${nameOf(path)} must be ${nouns[type] ?? type}, not ${describe(error.data)}`,
    ...suggestion,
  };
}

function notAllowed(error: ErrorObject, path: Path, params: Readonly<Record<string, unknown>>): Problem {
  const allowed: readonly unknown[] = Array.isArray(params.allowedValues)
    ? params.allowedValues
    : [params.allowedValue];
  const words = allowed.map((each) => JSON.stringify(each));
  const written = error.data;
  const choice = words.length === 1 ? words[0] : `one of ${words.join(', ')}`;
  return {
    code: 'KF2006',
    path,
    message: `${nameOf(path)} must be ${choice}, not ${describe(error.data)}`,
    suggestion: () => (typeof written === 'string' ? didYouMean(written, allowed.map(String)) : undefined),
  };
}

function bound({ keyword, params, message }: ErrorObject): string {
  const values: Readonly<Record<string, unknown>> = params;
  switch (keyword) {
    case 'minItems':
      return 'must not be empty';
    case 'minProperties':
      return 'must not be empty';
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${String(values.limit)} characters`;
    case 'minimum':
      return `must be at least ${String(values.limit)}`;
    case 'maximum':
      return `must be at most ${String(values.limit)}`;
    case 'uniqueItems':
      return `has the same item twice, at ${String(values.j)} and ${String(values.i)}`;
    case 'pattern':
      return `must match ${String(values.pattern)}`;
    default:
      return message ?? keyword;
  }
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function nameOf(path: Path): string {
  const last = path.at(-1);
  return typeof last === 'number'
    ? `item ${last} of \`${String(path.at(-2) ?? '')}\``
    : `\`${last ?? 'the document'}\``;
}

function inside(path: Path): string {
  return path.length === 0 ? '' : ` in ${nameOf(path)}`;
}

/** Converts a JSON Pointer into steps through a value. */
function toPath(pointer: string, root: JsonObject): Path {
  const path: (string | number)[] = [];
  let value: Raw = root;
  for (const token of pointer.split('/').slice(1)) {
    const step = token.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(value) ? Number(step) : step);
    value = child(value, step);
  }
  return path;
}

function child(value: Raw, step: string): JsonValue | undefined {
  return Array.isArray(value) ? value[Number(step)] : get(value, step);
}
