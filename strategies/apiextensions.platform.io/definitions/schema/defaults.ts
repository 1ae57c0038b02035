/** Defaults have to be values that their schema accepts, as they are written. */
import { checkDefaults, type DefaultFindings } from '../../../../runtime/cel/index.js';
import type { FieldError, JsonValue, Schema } from '../../../../runtime/contract/index.js';
import { invalidValue } from '../../../../runtime/objects/field-error.js';
import type { FieldErrors } from '../../../shared/field-checks.js';
import type { Expressions } from './expressions.js';
import { metadataProblem, type Step } from './meta-defaults.js';

const head = new Set(['metadata', 'apiVersion', 'kind']);

/** A default, and where it stands. */
interface Place {
  readonly schema: Schema;
  readonly value: JsonValue;
  readonly path: string;
  /** Of those in what every object has: the way from the object to the default. */
  readonly inHead: readonly Step[] | undefined;
}

/** Errors of the defaults of a structural schema; `prunes` says whether they may have no unknown fields. */
export function* defaultErrors(
  root: Schema,
  path: string,
  { release, options }: Expressions,
  prunes: () => boolean,
): FieldErrors {
  const places = [...placesIn({ ...root, 'x-kubernetes-embedded-resource': true }, path, [], false)];
  const findings = checkDefaults(
    places.map(({ schema }) => schema),
    release,
    options,
  );
  for (const [i, place] of places.entries()) {
    const found = findings[i];
    if (found !== undefined) yield* placeErrors(place, found, prunes);
  }
}

/** The defaults of a schema. Those of maps are not looked for. */
function* placesIn(schema: Schema, path: string, steps: readonly Step[], isInHead: boolean): Generator<Place> {
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

function* placeErrors({ value, path, inHead }: Place, found: DefaultFindings, prunes: () => boolean): FieldErrors {
  const field = `${path}.default`;
  const problem = inHead && metadataProblem(inHead, value);
  if (problem !== undefined) {
    yield invalidValue(field, value, `must result in valid metadata: ${problem}`);
    return;
  }
  if (inHead === undefined && found.unknown.length > 0 && prunes()) {
    yield invalidValue(field, value, 'must not have unknown fields');
  }
  // The keys of lists may repeat in a default.
  const refused = found.refused.filter(({ reason }) => reason !== 'FieldValueDuplicate');
  for (const error of refused.length > 0 ? refused : found.broken) yield placed(error, field);
}

function placed({ field, ...error }: FieldError, path: string): FieldError {
  return { ...error, field: field === '' || field === '<nil>' ? path : `${path}.${field}` };
}
