/** Compiles the rules of a resource's schema for the release that is served. */
import {
  arrangeRules,
  baseEnvironment,
  compileRuleTree,
  laterEnvironment,
  laterReading,
  type RulePlace,
} from '../cel/index.js';
import type { ResourceCode } from '../contract/index.js';
import type { EmulatedVersion } from './served-resource.js';

/** Generated rules are those of the latest release; for another one they are compiled here. */
export function compileRules(
  { schema, rules }: ResourceCode,
  emulated: EmulatedVersion | undefined,
): RulePlace | undefined {
  if (emulated === '1.27') return compileRuleTree(schema, baseEnvironment);
  return rules === undefined ? compileRuleTree(schema, laterEnvironment, laterReading) : arrangeRules(schema, rules);
}
