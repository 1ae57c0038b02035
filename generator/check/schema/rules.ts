/** The rules that are asked about every schema node, in no particular order. */
import { checkExpressions } from './expressions.js';
import { checkJunctors } from './junctors.js';
import { checkApplicable, checkBounds, checkEnum, checkPattern, checkRequired } from './keywords.js';
import { checkLists } from './lists.js';
import { checkMarkers } from './markers.js';
import { checkMetadataDefaults, checkObjectFields } from './metadata.js';
import { checkRulePrograms } from './rule-programs.js';
import type { NodeRule } from './schema-node.js';
import { checkObject, checkType } from './types.js';

export const schemaRules: readonly NodeRule[] = [
  checkType,
  checkObject,
  checkObjectFields,
  checkMetadataDefaults,
  checkLists,
  checkJunctors,
  checkPattern,
  checkEnum,
  checkBounds,
  checkRequired,
  checkApplicable,
  checkExpressions,
  checkRulePrograms,
  checkMarkers,
];
