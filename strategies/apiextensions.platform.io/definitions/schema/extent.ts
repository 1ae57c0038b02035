/** How deep the schemas of definitions may nest, so that all later work on them is bounded. */
import { schemasBelow, type WrittenSchema } from '../../../../runtime/schema/structural/index.js';

/** More levels than any real definition has. How wide a schema is, the size of a request bounds. */
const maxDepth = 300;

/** The problem with the extent of a schema in words. Linear in its size, without recursion. */
export function extentProblem(root: WrittenSchema): string | undefined {
  let level: readonly WrittenSchema[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth >= maxDepth) return `schemas must not be nested more than ${maxDepth} levels deep`;
    level = level.flatMap((schema) => [...schemasBelow(schema)]);
  }
  return undefined;
}
