/** Merges a configuration into an object like an apply, but without field managers. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import { fieldElement, type PathElement, printPath } from '../path-element.js';
import { DEDUCED, type TypePlan } from '../type-plan.js';
import { mergeValues } from './merge.js';
import { findTypeProblems } from './validate.js';

/** A merged object, or the problem of the configuration in the words of the reference. */
export type Overlaid =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly problem: string };

/**
 * Merges a configuration. It may not contain an atomic object or list, because the merge would lose all parts that it
 * leaves out. The result shares parts with both.
 */
export function overlay(root: TypePlan, object: JsonObject, configuration: JsonObject): Overlaid {
  const problem =
    typeProblem(root, configuration, 'patch') ??
    atomicProblem(root, configuration) ??
    typeProblem(root, object, 'original');
  if (problem !== undefined) return { ok: false, problem };
  const merged = mergeValues(root, object, configuration);
  return { ok: true, value: isObject(merged) ? merged : object };
}

function typeProblem(root: TypePlan, value: JsonObject, which: 'patch' | 'original'): string | undefined {
  const problems = findTypeProblems(root, value);
  if (problems.length === 0) return undefined;
  const text = problems.length === 1 ? problems[0] : ['errors:', ...problems.map((each) => `  ${each}`)].join('\n');
  return `failed to convert ${which} object to typed object: ${text}`;
}

function atomicProblem(root: TypePlan, configuration: JsonObject): string | undefined {
  const paths = [...atomicPaths(root, configuration, [])].map(printPath);
  if (paths.length === 0) return undefined;
  return `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${paths.join(', ')}`;
}

/** Yields the paths in a configuration to atomic objects and lists, and to their parts. */
function* atomicPaths(
  type: TypePlan,
  value: JsonValue,
  path: readonly PathElement[],
): Generator<readonly PathElement[]> {
  const { map, list } = type;
  if (isObject(value) && map) {
    if (map.atomic) yield path;
    for (const [name, member] of Object.entries(value)) {
      const field = map.fields.get(name)?.type;
      if (field && member !== undefined) yield* atomicPaths(field, member, [...path, fieldElement(name)]);
    }
  }
  if (!Array.isArray(value) || !list) return;
  if (list.relation === 'atomic') yield path;
  // A list without a schema is atomic with all its parts.
  if (type === DEDUCED) return;
  for (const [index, item] of value.entries()) yield* atomicPaths(list.items, item, [...path, `i:${index}`]);
}
