/** Defaults in schemas must be valid values of their schema. */
import { checkDefaults, type DefaultFindings } from '../../../runtime/cel/index.js';
import type { FieldError, JsonObject, JsonValue, Schema, SchemaFunctions } from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { fieldErrorText, invalidValue, joinErrors } from '../../../runtime/objects/field-error.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { schemaFunctions } from '../../../runtime/schema/index.js';
import type { FieldErrors } from '../../shared/field-checks.js';
import type { Expressions } from './expressions.js';

const head = new Set(['metadata', 'apiVersion', 'kind']);

interface PlacedDefault {
  readonly schema: Schema;
  readonly value: JsonValue;
  readonly path: string;
  /** For defaults inside object metadata: the steps from the object to the default. */
  readonly inHead: readonly Step[] | undefined;
}

/** Checks the defaults of a structural schema; `prunes` says whether unknown fields are refused. */
export function* defaultErrors(
  root: Schema,
  path: string,
  { release, options, formats, showsValues }: Expressions,
  prunes: () => boolean,
): FieldErrors {
  const places = [...placesIn({ ...root, 'x-kubernetes-embedded-resource': true }, path, [], false)];
  const findings = checkDefaults(
    places.map(({ schema }) => schema),
    release,
    { ...options, formats, showsValues },
  );
  for (const [i, place] of places.entries()) {
    const found = findings[i];
    if (found !== undefined) yield* placeErrors(place, found, prunes);
  }
}

/** Yields the defaults of a schema, except defaults of maps. */
function* placesIn(schema: Schema, path: string, steps: readonly Step[], isInHead: boolean): Generator<PlacedDefault> {
  const isObject = schema['x-kubernetes-embedded-resource'] === true;
  const inHead = isInHead && !isObject ? steps : undefined;
  const value = schema.default ?? undefined;
  if (value !== undefined) yield { schema, value, path, inHead };
  const from = isObject ? [] : steps;
  const below = isInHead && !isObject;
  if (schema.items !== undefined) yield* placesIn(schema.items, `${path}.items`, [...from, 'item'], below);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isHead = below || (isObject && head.has(name));
    yield* placesIn(property, `${path}.properties[${name}]`, [...from, { name }], isHead);
  }
}

function* placeErrors(
  { value, path, inHead }: PlacedDefault,
  found: DefaultFindings,
  prunes: () => boolean,
): FieldErrors {
  const field = `${path}.default`;
  const problem = inHead && metadataProblem(inHead, value);
  if (problem !== undefined) {
    yield invalidValue(field, value, `must result in valid metadata: ${problem}`);
    return;
  }
  if (inHead === undefined && found.unknown.length > 0 && prunes()) {
    yield invalidValue(field, value, 'must not have unknown fields');
  }
  // A default may repeat keys of a list.
  const refused = found.refused.filter(({ reason }) => reason !== 'FieldValueDuplicate');
  for (const error of refused.length > 0 ? refused : found.broken) yield placed(error, field);
}

function placed({ field, ...error }: FieldError, path: string): FieldError {
  return { ...error, field: field === '' || field === '<nil>' ? path : `${path}.${field}` };
}

/** A step from an object into a field or into the items of a list. */
type Step = 'item' | { readonly name: string };

const holder: Schema = {
  type: 'object',
  properties: {
    object: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
};

let compiled: SchemaFunctions | undefined;

/** Compiled on first use, because few servers ever see such a default. */
function holderFunctions(): SchemaFunctions {
  compiled ??= schemaFunctions(holder, { decoding: 'structural' });
  return compiled;
}

/** Returns the problem of an otherwise valid object with a default at the end of some steps. */
function metadataProblem(steps: readonly Step[], value: JsonValue): string | undefined {
  const around = steps.reduceRight<JsonValue>(
    (inner, step) => (step === 'item' ? [inner] : { [step.name]: inner }),
    clone(value),
  );
  const object: JsonObject = {
    object: { apiVersion: 'validation/v1', kind: 'Validation', ...(isObject(around) ? around : {}) },
  };
  const functions = holderFunctions();
  const mismatch = functions.normalize?.(object);
  if (mismatch !== undefined) return mismatch.message.replace(/^object\./, '');
  const errors: FieldError[] = [];
  functions.validate(object, errors);
  if (errors.length === 0) return undefined;
  return joinErrors(errors.map(fieldErrorText).map((text) => text.replace(/^object\./, '')));
}
