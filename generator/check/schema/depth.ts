/** Rules on how deep values and combinations nest, as TypeScript does not compare literals of any depth with their types. */
import { isDeeper } from '../../../runtime/objects/from-below.js';
import { get } from '../../../runtime/schema/read.js';
import type { NodeRule, SchemaNode } from './schema-node.js';

/** Levels that a default, an example or a value of an enum may have. */
const MAX_VALUE_LEVELS = 40;

/** Nodes that may lie within each other below `allOf`, `anyOf`, `oneOf` or `not`. */
const MAX_COMBINED_NODES = 30;

/** Values of a node that its code holds as literals. */
export const checkValueDepth: NodeRule = ({ raw }, say) => {
  for (const key of ['default', 'example', 'enum']) {
    const value = get(raw, key) ?? null;
    if (isDeeper(value, key === 'enum' ? MAX_VALUE_LEVELS + 1 : MAX_VALUE_LEVELS)) {
      say('KF3022', key, `\`${key}\` nests more than ${MAX_VALUE_LEVELS} levels deep`);
    }
  }
};

/** Reported at the first node that is too deep. */
export const checkCombinedDepth: NodeRule = (node, say) => {
  if (node.level !== 'rule' || combinedNodes(node) !== MAX_COMBINED_NODES + 1) return;
  say('KF3022', '', `more than ${MAX_COMBINED_NODES} schemas lie within each other below \`allOf\` and its like`);
};

function combinedNodes(node: SchemaNode): number {
  let count = 0;
  for (let at: SchemaNode | undefined = node; at?.level === 'rule'; at = at.parent) count++;
  return count;
}
