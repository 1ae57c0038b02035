/** Goes to certain parts of a value, wherever a schema has them: whole objects in objects, lists with keys. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { getOwn } from '../../objects/guards.js';
import { Path } from './path.js';
import type { Node } from './table.js';

/** What a walk is about. */
export interface Walk<Result> {
  /** Whether there are such parts at a node or below. */
  readonly reaches: (node: Node) => boolean;
  /** Called for each value that has such a node or one above such a node; a result ends the walk. */
  readonly visit: (node: Node, value: JsonValue, path: Path) => Result | undefined;
  /** How paths write the key of a map. */
  readonly keyStep: (key: string) => string;
}

/** Walks the parts of an object in the order of the schema, without the object itself. Returns the first result. */
export function walkParts<Result>(root: Node, object: JsonObject, walk: Walk<Result>): Result | undefined {
  return walk.reaches(root) ? below(root, object, new Path(), walk) : undefined;
}

function at<Result>(node: Node, value: JsonValue | undefined, path: Path, walk: Walk<Result>): Result | undefined {
  if (value === undefined) return undefined;
  return walk.visit(node, value, path) ?? below(node, value, path, walk);
}

function below<Result>(node: Node, value: JsonValue, path: Path, walk: Walk<Result>): Result | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { fields, values, items } = node;
  const go = (child: Node, part: JsonValue | undefined, step: string | number): Result | undefined => {
    path.enter(step);
    const result = at(child, part, path, walk);
    path.leave();
    return result;
  };
  if (Array.isArray(value)) {
    if (items === undefined || !walk.reaches(items)) return undefined;
    for (const [i, item] of value.entries()) {
      const result = go(items, item, i);
      if (result !== undefined) return result;
    }
    return undefined;
  }
  for (const { node: child, name, step } of fields.list) {
    const result = walk.reaches(child) ? go(child, getOwn(value, name), step) : undefined;
    if (result !== undefined) return result;
  }
  for (const key of values !== undefined && walk.reaches(values) ? Object.keys(value) : []) {
    const result =
      values === undefined || fields.byName.has(key) ? undefined : go(values, value[key], walk.keyStep(key));
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Keys as errors about whole values write them. */
export const keyInBrackets = (key: string): string => `[${key}]`;

/** Keys as unknown fields are reported. */
export const keyBehindDot = (key: string): string => `.${key}`;
