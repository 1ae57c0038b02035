/** Defaults within the metadata of an object have to make metadata that an object can have. */
import type { FieldError, JsonObject, JsonValue, Schema, SchemaFunctions } from '../../../../runtime/contract/index.js';
import { clone } from '../../../../runtime/objects/clone.js';
import { fieldErrorText, joinErrors } from '../../../../runtime/objects/field-error.js';
import { isObject } from '../../../../runtime/objects/guards.js';
import { schemaFunctions } from '../../../../runtime/schema/index.js';

/** A step from an object to a value in it: to a field, or to the items of a list. */
export type Step = 'item' | { readonly name: string };

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

/** Compiled for the first such default, since few servers ever see one. */
function holderFunctions(): SchemaFunctions {
  compiled ??= schemaFunctions(holder, { decoding: 'structural' });
  return compiled;
}

/** The problem with an otherwise valid object that has a default at the end of some steps. */
export function metadataProblem(steps: readonly Step[], value: JsonValue): string | undefined {
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
