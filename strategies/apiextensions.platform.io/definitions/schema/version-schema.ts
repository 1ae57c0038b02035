/** All rules of a schema of a definition. */
import { invalidValue, Verbatim } from '../../../../runtime/objects/field-error.js';
import { PLAIN, readSchema } from '../../../../runtime/schema/reading/read-schema.js';
import {
  rootFindings,
  schemaFindings,
  structuralErrorsAmong,
  topNode,
  unreadableProblem,
  type WrittenSchema,
} from '../../../../runtime/schema/structural/index.js';
import type { PacedErrors } from '../../../shared/field-checks.js';
import { CostAccount } from './costs.js';
import { defaultErrors } from './defaults.js';
import type { Expressions } from './expressions.js';
import { extentProblem } from './extent.js';
import { keywordErrors, rootErrors } from './keyword-errors.js';
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
): PacedErrors {
  const root = holder?.openAPIV3Schema;
  if (root === undefined) return;
  const place = `${path}.openAPIV3Schema`;
  const tooLarge = extentProblem(root);
  if (tooLarge !== undefined) {
    yield invalidValue(place, new Verbatim('""'), tooLarge);
    return;
  }
  yield;
  const top = topNode(root);
  const findings = [...schemaFindings(top)];
  yield;
  const unreadable = ratchets.requireStructure ? unreadableProblem(root) : undefined;
  yield;
  const asksStructure = ratchets.requireStructure && unreadable === undefined;
  const structure = asksStructure ? structuralErrorsAmong(findings, place) : [];
  const schema = asksStructure && structure.length === 0 ? readSchema(root, PLAIN) : undefined;
  yield;
  const defaults = schema ? [...defaultErrors(schema, place, expressions, ratchets.requirePrunedDefaults)] : [];
  yield;
  const keywords = [...keywordErrors(findings, place, ratchets)];
  const errors = [...rootErrors(rootFindings(top, hasStatus), place), ...structure, ...defaults, ...keywords];
  yield;
  if (schema && defaults.length === 0) {
    const costs = new CostAccount();
    const requireCheap = ratchets.requireCheapRules;
    errors.push(...ruleErrors(schema, place, { expressions, costs, known: keywords, requireCheap }));
    errors.push(...costs.errors(place));
  }
  yield* errors;
  // Most of what cannot be read has been told as what is not supported.
  if (errors.length === 0 && unreadable !== undefined) yield invalidValue(place, '', unreadable);
}
