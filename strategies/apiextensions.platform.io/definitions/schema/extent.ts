/** The limits of a schema of a definition, so that all later work on it is bounded. */
import type { JsonValue } from '../../../../runtime/contract/index.js';
import { isDeeper } from '../../../../runtime/objects/depth/levels.js';
import { isArray, isObject, stringAt } from '../../../../runtime/objects/guards.js';
import { schemasBelow, type WrittenSchema } from '../../../../runtime/schema/structural/index.js';

/** Each is several times what the largest real definitions have. */
const maxDepth = 300;
/** Levels of values in schemas, which are compiled. */
const maxValueDepth = 1_000;
const maxSchemas = 30_000;
const maxPatterns = 5_000;
/** In UTF-16 units. */
const maxRules = 64 * 1024;

/** The problem with the extent of a schema in words. Linear in its size, without recursion. */
export function extentProblem(root: WrittenSchema): string | undefined {
  let level: WrittenSchema[] = [root];
  let schemas = 0;
  let rules = 0;
  const patterns = new Set<string>();
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxDepth) return `schemas must not be nested more than ${maxDepth} levels deep`;
    schemas += level.length;
    if (schemas > maxSchemas) return `schemas must not have more than ${maxSchemas} parts`;
    const below: WrittenSchema[] = [];
    for (const schema of level) {
      const pattern = stringAt(schema, 'pattern');
      if (pattern !== '') patterns.add(pattern);
      rules += lengthOfRules(schema);
      if (valuesIn(schema).some((value) => isDeeper(value, maxValueDepth))) {
        return `values in schemas must not be nested more than ${maxValueDepth} levels deep`;
      }
      for (const part of schemasBelow(schema)) below.push(part);
    }
    level = below;
  }
  if (patterns.size > maxPatterns) return `schemas must not have more than ${maxPatterns} different patterns`;
  if (rules > maxRules) return `validation rules must not have more than ${maxRules} characters together`;
  return undefined;
}

/** A default, an example, and a list of allowed values. */
function valuesIn({
  default: standard = null,
  example = null,
  enum: allowed = [],
}: WrittenSchema): readonly JsonValue[] {
  return [standard, example, ...(isArray(allowed) ? allowed : [])];
}

function lengthOfRules(schema: WrittenSchema): number {
  const rules = schema['x-kubernetes-validations'];
  if (!isArray(rules)) return 0;
  return rules
    .filter(isObject)
    .reduce((sum, rule) => sum + stringAt(rule, 'rule').length + stringAt(rule, 'messageExpression').length, 0);
}
