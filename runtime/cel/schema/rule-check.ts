/** Makes the check of a schema's compiled rules, for validators. */
import type { CompiledRules, FieldError, RuleCheck, Schema } from '../../contract/index.js';
import { arrangeRules } from './rule-tree.js';
import { validateRules } from './validate-rules.js';

/** Returns the check that finds the rules which a new object breaks. */
export function ruleCheck(schema: Schema, rules: CompiledRules): RuleCheck {
  const place = arrangeRules(schema, rules);
  return (object) => {
    const errors: FieldError[] = [];
    if (place !== undefined) validateRules(place, object, undefined, errors);
    return errors;
  };
}
