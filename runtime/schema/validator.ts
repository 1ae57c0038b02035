/** Makes the typed validators of a kind from its schema. They need no server, and run in browsers. */
import type {
  FieldError,
  JsonObject,
  Place,
  RuleCheck,
  Schema,
  StandardIssue,
  StandardResult,
  Validate,
  Validator,
  Violation,
} from '../contract/index.js';
import { isObject } from '../objects/guards.js';
import { Copier } from './copier.js';
import type { Decoding } from './engine/checks.js';
import { schemaFunctions } from './engine/functions.js';
import { objectMetaSchema } from './object-meta.js';
import { pathOf, violationAt } from './violation.js';

export interface ValidatorOptions {
  /** The group and version, as in objects. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly decoding: Decoding;
  readonly schema: Schema;
  /** Checks the rules of the schema, if any. */
  readonly rules?: RuleCheck;
}

/** Returns the validators of a kind. Compiles the schema at the first value. */
export function defineValidator<T extends object>(options: ValidatorOptions): Validator<T> {
  const check = checking(options);
  const validate = (value: unknown): readonly Violation[] => check(value).violations.map(({ place, ...each }) => each);
  const standard = (value: unknown): StandardResult<T> => {
    const { object, violations } = check(value);
    const refused = violations.filter((each) => !isUnknown(each));
    return refused.length > 0 ? { issues: refused.map((each) => issueOf(each, value)) } : { value: typed<T>(object) };
  };
  return {
    is: (value): value is T => hasHead(value, options) && check(value).violations.every(isUnknown),
    validate: Object.assign(validate, {
      '~standard': { version: 1, vendor: 'kindforge', validate: standard } as const,
    }) satisfies Validate<T>,
    fillIn: (object) => typed<T>(check(object).object),
  };
}

const isUnknown = ({ reason }: Violation): boolean => reason === 'unknown';

/** Returns the object as its generated type. The caller must have checked it. */
const typed = <T>(object: JsonObject): T => object as T;

/** Reports whether a value has the apiVersion and kind of the kind, and metadata. */
function hasHead(value: unknown, { apiVersion, kind }: ValidatorOptions): boolean {
  return isObject(value) && value.apiVersion === apiVersion && value.kind === kind && isObject(value.metadata);
}

/** The object decoded from a value, and all its violations. */
interface Checked {
  readonly object: JsonObject;
  readonly violations: readonly PlacedViolation[];
}

/** A violation, with its place if the engine reports it. */
interface PlacedViolation extends Violation {
  readonly place?: Place;
}

function checking({ apiVersion, kind, decoding, schema, rules }: ValidatorOptions): (value: unknown) => Checked {
  const version = apiVersion.slice(apiVersion.indexOf('/') + 1);
  let compiled: ReturnType<typeof compile> | undefined;
  const compile = () => ({
    own: schemaFunctions(schema, { decoding, kind, version }),
    metadata: schemaFunctions(objectMetaSchema, { decoding: 'typed', kind: 'ObjectMeta' }),
  });
  return (value) => {
    compiled ??= compile();
    const { own, metadata } = compiled;
    const copier = new Copier();
    const copy = copier.copy(value, '');
    if (copier.violation !== undefined) return { object: {}, violations: [copier.violation] };
    if (!isObject(copy)) return { object: {}, violations: [ofType('', 'must be an object')] };
    const object: JsonObject = { apiVersion, kind, metadata: {}, ...copy };
    const violations = headViolations(object, { apiVersion, kind });
    if (isObject(object.metadata)) {
      const wrong = metadata.normalize?.(object.metadata);
      if (wrong !== undefined) violations.push(ofType(`metadata.${wrong.field}`, wrong.message));
      metadata.prune(object.metadata, (path) => violations.push(unknownField(`metadata.${path}`)));
    }
    const mismatch = own.normalize?.(object);
    if (mismatch !== undefined)
      return { object, violations: [...violations, ofType(mismatch.field, mismatch.message)] };
    own.prune(object, (path) => violations.push(unknownField(path)));
    own.applyDefaults(object);
    const errors: PlacedViolation[] = [];
    own.validate(object, {
      push: (error) => errors.push(violationOf(error)),
      pushAt: (error, place) => errors.push({ ...violationOf(error, place), place }),
    });
    if (errors.length === 0) errors.push(...(rules?.(object) ?? []).map((error) => violationOf(error)));
    return { object, violations: [...violations, ...errors] };
  };
}

function headViolations(object: JsonObject, expected: Readonly<Record<'apiVersion' | 'kind', string>>): Violation[] {
  const found: Violation[] = [];
  for (const key of ['apiVersion', 'kind'] as const) {
    if (object[key] === expected[key]) continue;
    const message = `Invalid value: ${JSON.stringify(String(object[key]))}: must be ${expected[key]}`;
    found.push({ path: key, reason: 'value', message });
  }
  if (!isObject(object.metadata)) found.push(ofType('metadata', 'must be an object'));
  return found;
}

const ofType = (path: string, message: string): Violation => ({ path, reason: 'type', message });

const unknownField = (path: string): Violation => ({ path, reason: 'unknown', message: 'unknown field' });

/** Converts an error. Combinations have no path of their own. */
const violationOf = (error: FieldError, place: Place = []): Violation =>
  violationAt(error.field === '<nil>' ? pathOf(place) : error.field, error);

function issueOf({ path, message, place }: PlacedViolation, value: unknown): StandardIssue {
  return { message, path: place ?? segmentsOf(path, value) };
}

/** Splits a path into segments. Needs the value, because keys of maps may contain dots and brackets. */
function segmentsOf(path: string, value: unknown): (string | number)[] {
  const segments: (string | number)[] = [];
  let rest = path;
  let at = value;
  while (rest !== '') {
    const [step, key] = stepOf(rest, at);
    segments.push(key);
    at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined;
    rest = rest.slice(step).replace(/^\./, '');
  }
  return segments;
}

/** Returns the length of the first step of a path, and the key or index in it. */
function stepOf(path: string, value: unknown): readonly [length: number, key: string | number] {
  const [index] = /^\[\d+\]/.exec(path) ?? [];
  if (index !== undefined && Array.isArray(value)) return [index.length, Number(index.slice(1, -1))];
  const isHere = (key: string): boolean => path.startsWith(key) && /^[.[]|^$/.test(path.slice(key.length));
  const known = isObject(value) ? Object.keys(value).filter((key) => isHere(key) || path.startsWith(`[${key}]`)) : [];
  const longest = known.sort((a, b) => b.length - a.length)[0];
  if (longest !== undefined) return [longest.length + (path.startsWith(`[${longest}]`) ? 2 : 0), longest];
  const [name = path] = /^[^.[]+/.exec(path) ?? [];
  return [name.length, name];
}
