/** A plain interpreter of structural schemas: what the compiler's functions do, said once more in the most obvious way, by
 * walking schema and value together. Only single checks and the words of errors are shared with the compiler. */
import type { FieldError, JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { isObject } from '../../../runtime/objects/guards.js';
import { objectMetaSchema } from '../../../runtime/schema/object-meta.js';
import * as support from '../../../runtime/schema/support.js';
import type { Outcome } from '../compiled.js';
import { check } from './checks.js';
import { applyDefaults } from './defaults.js';
import { checkLists } from './lists.js';
import { prune } from './prune.js';
import { readObject } from './typed-read.js';
import { below, forEachChild, inBrackets } from './walk.js';

/** Decodes and validates an object, which is changed in place. */
export function interpret(schema: Schema, object: JsonObject): Outcome {
  const unreadable = readEmbedded(schema, object, '');
  if (unreadable !== undefined) return { unreadable, unknown: [], object, errors: [] };
  const unknown: string[] = [];
  prune({ ...schema, 'x-kubernetes-embedded-resource': true }, object, '', unknown);
  const inMetadata: string[] = [];
  pruneMetadata(schema, object, '', inMetadata);
  applyDefaults(schema, object);
  return { unreadable, unknown: [...unknown.sort(), ...inMetadata.sort()], object, errors: validate(schema, object) };
}

function readEmbedded(schema: Schema, value: JsonValue | undefined, path: string): string | undefined {
  if (schema['x-kubernetes-embedded-resource']) {
    const reader = (metadata: JsonObject): support.Mismatch | undefined =>
      readObject(objectMetaSchema, metadata, 'ObjectMeta');
    const wrong = support.readEmbedded(value, path, reader);
    if (wrong !== undefined) return wrong.message;
  }
  let found: string | undefined;
  forEachChild(schema, value, path, inBrackets, (child, item, at) => {
    found ??= readEmbedded(child, item, at);
  });
  return found;
}

function pruneMetadata(schema: Schema, value: JsonValue | undefined, path: string, unknown: string[]): void {
  if (schema['x-kubernetes-embedded-resource'] && isObject(value)) {
    prune(objectMetaSchema, value.metadata, below(path, 'metadata'), unknown);
  }
  forEachChild(schema, value, path, below, (child, item, at) => pruneMetadata(child, item, at, unknown));
}

/** All errors of an object, in the order of the reference. */
function validate(schema: Schema, object: JsonObject): FieldError[] {
  const errors = check(schema, object, '').errors;
  const distinct = new Map(errors.map((error) => [`${error.field}\n${error.message}`, error]));
  const all = [...distinct.values()];
  const findings = new support.Findings();
  checkEmbedded(schema, object, '', findings);
  findings.reportTo(all);
  checkLists(schema, object, '', all);
  return all;
}

function checkEmbedded(schema: Schema, value: JsonValue | undefined, path: string, errors: support.Findings): void {
  if (schema['x-kubernetes-embedded-resource']) support.checkEmbedded(value, path, errors);
  forEachChild(schema, value, path, inBrackets, (child, item, at) => checkEmbedded(child, item, at, errors));
}
