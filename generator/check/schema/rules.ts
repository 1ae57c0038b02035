/** The rules that are asked about every schema node besides those of structural schemas, in no particular order. */
import { checkCombinedDepth, checkValueDepth } from './depth.js';
import { checkApplicable, checkBounds, checkCounts, checkEnum, checkRequired, checkShape } from './keywords.js';
import { checkMarkers } from './markers.js';
import type { NodeRule } from './schema-node.js';

/** Rules on values, which also hold for what stands below `allOf` and its like. */
export const valueRules: readonly NodeRule[] = [
  checkEnum,
  checkCounts,
  checkBounds,
  checkValueDepth,
  checkCombinedDepth,
];

export const schemaRules: readonly NodeRule[] = [
  ...valueRules,
  checkShape,
  checkRequired,
  checkApplicable,
  checkMarkers,
];
