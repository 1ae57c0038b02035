/** All rules of a schema of a definition. */
import { forbidden, invalidValue, Verbatim } from '../../../../runtime/objects/field-error.js';
import { PLAIN, readSchema } from '../../../../runtime/schema/reading/read-schema.js';
import {
  says,
  structuralErrors,
  unreadableProblem,
  type WrittenSchema,
} from '../../../../runtime/schema/structural/index.js';
import type { FieldErrors } from '../../../shared/field-checks.js';
import { CostAccount } from './costs.js';
import { defaultErrors } from './defaults.js';
import type { Expressions } from './expressions.js';
import { extentProblem } from './extent.js';
import { keywordErrors } from './keywords.js';
import { rootNode } from './node.js';
import { rootWithStatusErrors } from './root-with-status.js';
import { ruleErrors } from './rules.js';
import type { SchemaRatchets } from './settings.js';

/** The inputs of a check besides the schema. */
export interface SchemaCheck {
  readonly ratchets: SchemaRatchets;
  readonly expressions: Expressions;
}

/** Errors of the schema of a version, or of all versions; `path` is that of what holds it. */
export function* schemaErrors(
  holder: { readonly openAPIV3Schema?: WrittenSchema | undefined } | undefined,
  path: string,
  hasStatus: boolean,
  { ratchets, expressions }: SchemaCheck,
): FieldErrors {
  const root = holder?.openAPIV3Schema;
  if (root === undefined) return;
  const place = `${path}.openAPIV3Schema`;
  const tooLarge = extentProblem(root);
  if (tooLarge !== undefined) {
    yield invalidValue(place, new Verbatim('""'), tooLarge);
    return;
  }
  const errors = [
    ...(hasStatus ? rootWithStatusErrors(root, place) : []),
    ...(says(root, 'nullable') ? [forbidden(`${place}.nullable`, 'nullable cannot be true at the root')] : []),
  ];
  const unreadable = ratchets.requireStructure ? unreadableProblem(root) : undefined;
  const structure =
    ratchets.requireStructure && unreadable === undefined ? shapeErrors(root, place, { ratchets, expressions }) : [];
  errors.push(...structure);
  const isTyped = ratchets.requireStructure && unreadable === undefined && structure.length === 0;
  const keywords = [...keywordErrors(rootNode(root, place, ratchets))];
  errors.push(...keywords);
  if (isTyped) {
    const costs = new CostAccount();
    errors.push(
      ...ruleErrors(readSchema(root, PLAIN), place, {
        expressions,
        costs,
        known: keywords,
        requireCheap: ratchets.requireCheapRules,
      }),
      ...costs.errors(place),
    );
  }
  yield* errors;
  // Most of what cannot be read has been told as what is not supported.
  if (errors.length === 0 && unreadable !== undefined) yield invalidValue(place, '', unreadable);
}

/** Errors of the structure; where there are none, errors of defaults. */
function shapeErrors(root: WrittenSchema, path: string, { ratchets, expressions }: SchemaCheck) {
  const errors = structuralErrors(root, path);
  if (errors.length > 0) return errors;
  return [...defaultErrors(readSchema(root, PLAIN), path, expressions, ratchets.requirePrunedDefaults)];
}
