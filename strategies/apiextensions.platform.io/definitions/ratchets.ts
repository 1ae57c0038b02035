/** The rules that an update of a definition may break, because the stored definition breaks them already. */
import { equal } from '../../../runtime/objects/equality.js';
import { PLAIN, readSchema } from '../../../runtime/schema/read-schema.js';
import {
  schemaFindings,
  structuralErrors,
  topNode,
  unreadableProblem,
  type WrittenSchema,
} from '../../../runtime/schema/structural/index.js';
import { namesKnownReview } from './conversion.js';
import type { Spec, Version } from './definition.js';
import { defaultErrors } from './schema/defaults.js';
import type { Expressions } from './schema/expressions.js';
import { ratchetOf } from './schema/keyword-errors.js';
import { allRequired, type SchemaRatchets } from './schema/settings.js';

/** The rules that a definition has to follow. */
export interface Ratchets {
  readonly schema: SchemaRatchets;
  /** Every version has a schema. */
  readonly requireSchemas: boolean;
  /** One of the review versions of a webhook is one that the server knows. */
  readonly requireKnownReview: boolean;
  /** Whether a version is stored with the same schema. */
  readonly keepsSchema: (version: Version) => boolean;
}

/** All rules, as for a new definition. */
export const strictest: Ratchets = {
  schema: allRequired,
  requireSchemas: true,
  requireKnownReview: true,
  keepsSchema: () => false,
};

/** The rules for an update of a stored spec. */
export function ratchetsOf(old: Spec, expressions: Expressions): Ratchets {
  const versions = old.versions ?? [];
  const roots = versions.map(({ schema }) => schema?.openAPIV3Schema);
  const schemas = roots.filter((root) => root !== undefined);
  const broken = new Set(
    schemas.flatMap((schema) => [...schemaFindings(topNode(schema))].map(({ rule }) => ratchetOf(rule))),
  );
  return {
    requireSchemas: schemas.length === roots.length,
    requireKnownReview: namesKnownReview(old.conversion),
    keepsSchema: ({ name, schema }) =>
      versions.some((version) => version.name === name && equal(version.schema, schema)),
    schema: {
      requireKnownTypes: !broken.has('requireKnownTypes'),
      requireStructure: schemas.every(isStructural),
      requirePrunedDefaults: () => schemas.every((schema) => hasPrunedDefaults(schema, expressions)),
      requireAtomicSets: !broken.has('requireAtomicSets'),
      requireListKeys: !broken.has('requireListKeys'),
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
