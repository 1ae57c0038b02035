/** What an update of a definition need not put right, since the stored definition has it wrong already. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { objectAt } from '../../../runtime/objects/guards.js';
import { PLAIN, readSchema } from '../../../runtime/schema/reading/read-schema.js';
import {
  structuralErrors,
  unreadableProblem,
  type WrittenSchema,
  withAllBelow,
} from '../../../runtime/schema/structural/index.js';
import { objectsAt } from '../../shared/reading.js';
import { namesKnownReview } from './conversion.js';
import { defaultErrors } from './schema/defaults.js';
import type { Expressions } from './schema/expressions.js';
import { isKnownType } from './schema/keywords.js';
import { isAtomicSet, keyErrors } from './schema/list-types.js';
import { allRequired, type SchemaRatchets } from './schema/settings.js';

/** What is asked of a definition. */
export interface Ratchets {
  readonly schema: SchemaRatchets;
  /** Every version has a schema. */
  readonly requireSchemas: boolean;
  /** One version of questions to a webhook is one that the server knows. */
  readonly requireKnownReview: boolean;
  /** Whether a version is stored with the same schema. */
  readonly keepsSchema: (version: JsonObject) => boolean;
}

/** Everything, as of a new definition. */
export const strictest: Ratchets = {
  schema: allRequired,
  requireSchemas: true,
  requireKnownReview: true,
  keepsSchema: () => false,
};

/** What is asked of an update, by the spec that is stored. */
export function ratchetsOf(old: JsonObject, expressions: Expressions): Ratchets {
  const versions = objectsAt(old, 'versions');
  const roots = versions.map((version) => objectAt(objectAt(version, 'schema'), 'openAPIV3Schema'));
  const schemas = roots.filter((root) => root !== undefined);
  const all = schemas.flatMap((schema) => [...withAllBelow(schema)]);
  return {
    requireSchemas: schemas.length === roots.length,
    requireKnownReview: namesKnownReview(old),
    keepsSchema: ({ name, schema = null }) =>
      versions.some((version) => version.name === name && equal(version.schema ?? null, schema)),
    schema: {
      requireKnownTypes: all.every(isKnownType),
      requireStructure: schemas.every(isStructural),
      requirePrunedDefaults: () => schemas.every((schema) => hasPrunedDefaults(schema, expressions)),
      requireAtomicSets: all.every(isAtomicSet),
      requireListKeys: all.every((schema) => [...keyErrors(schema, '')].length === 0),
      requireCheapRules: true,
    },
  };
}

function isStructural(schema: WrittenSchema): boolean {
  return unreadableProblem(schema) === undefined && structuralErrors(schema, '').length === 0;
}

function hasPrunedDefaults(schema: WrittenSchema, expressions: Expressions): boolean {
  if (!isStructural(schema)) return true;
  const root = readSchema(schema, PLAIN);
  const count = (prunes: boolean): number => [...defaultErrors(root, '', expressions, () => prunes)].length;
  return count(true) === count(false);
}
