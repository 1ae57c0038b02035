/** The rules that every schema node is asked, in no particular order. */
import { checkExpressions } from './expressions.js';
import { checkJunctors } from './junctors.js';
import { checkApplicable, checkBounds, checkEnum, checkPattern, checkRequired } from './keywords.js';
import { checkListMapKeys, checkListType, checkMapType } from './lists.js';
import { checkMarkers } from './markers.js';
import { checkMetadataDefaults, checkObjectFields } from './metadata.js';
import { checkRulePrograms } from './rule-programs.js';
import type { NodeRule } from './schema-node.js';
import { checkEmbeddedResource, checkIntOrString, checkObject, checkType } from './types.js';

export const schemaRules: readonly NodeRule[] = [
  checkType,
  checkObject,
  checkIntOrString,
  checkEmbeddedResource,
  checkObjectFields,
  checkMetadataDefaults,
  checkListType,
  checkListMapKeys,
  checkMapType,
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
