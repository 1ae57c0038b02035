/** The traits of a schema's parts, found once per node, so that parts that need nothing get no code. */
import { additionalNode, defaultOf, holdsObjects, type Node } from '../node.js';

/** A property of nodes that is true if it is true of the node itself or of any node below it. */
export type Trait = (node: Node) => boolean;

/** Nodes directly below a node, by which values are walked; branches of combinations are not among them. */
export function childNodes(node: Node): Node[] {
  const children = [...node.properties.values()];
  const additional = additionalNode(node);
  if (additional !== undefined) children.push(additional);
  if (node.items !== undefined) children.push(node.items);
  return children;
}

/** Nodes directly below a node, branches of combinations included. */
function allChildNodes(node: Node): Node[] {
  const branches = [...node.anyOf, ...node.oneOf, ...node.allOf];
  if (node.not !== undefined) branches.push(node.not);
  return [...childNodes(node), ...branches];
}

/** A trait of a node or of anything below it. */
export function anywhere(own: Trait, children: (node: Node) => Node[] = childNodes): Trait {
  const known = new Map<Node, boolean>();
  const test: Trait = (node) => {
    const answer = known.get(node) ?? (own(node) || children(node).some(test));
    known.set(node, answer);
    return answer;
  };
  return test;
}

export const isEmbedded: Trait = (node) => node.schema['x-kubernetes-embedded-resource'] === true;

export const keepsUnknown: Trait = (node) => node.schema['x-kubernetes-preserve-unknown-fields'] === true;

export const isIntOrString: Trait = (node) => node.schema['x-kubernetes-int-or-string'] === true;

/** Whether a list's items must differ, as a set or as a map. */
export const isKeyedList: Trait = (node) => {
  const type = node.schema['x-kubernetes-list-type'];
  return type === 'set' || type === 'map';
};

export const isCombination: Trait = (node) =>
  node.anyOf.length > 0 || node.oneOf.length > 0 || node.allOf.length > 0 || node.not !== undefined;

/** Whether a schema has whole objects inside its objects. */
export const hasEmbedded = (root: Node): boolean => anywhere(isEmbedded)(root);

/** Whether a schema has combinations anywhere, whose branches can find the same error twice. */
export const combines = (root: Node): boolean => anywhere(isCombination, allChildNodes)(root);

/** The need of a part when defaults are filled in: nothing, only that nulls go, or code of its own. */
export type DefaultsNeed = 'nothing' | 'nulls' | 'code';

/**
 * Tells what filling in defaults asks of each part of a schema. Nulls are left alone where decoding has seen to them,
 * as it does for typed kinds.
 */
export function defaultsNeeds(dropNulls: boolean): (node: Node) => DefaultsNeed {
  const known = new Map<Node, DefaultsNeed>();
  const need = (node: Node): DefaultsNeed => {
    const found = known.get(node) ?? (dropNulls ? needOf(node, need) : fillNeed(node, need));
    known.set(node, found);
    return found;
  };
  return need;
}

function fillNeed(node: Node, need: (node: Node) => DefaultsNeed): DefaultsNeed {
  const filled = (child: Node): boolean => defaultOf(child) !== undefined || need(child) === 'code';
  return childNodes(node).some(filled) ? 'code' : 'nothing';
}

/** Whether a value may hold what its schema does not describe. */
function isOpen(node: Node): boolean {
  return node.additional === 'any' || keepsUnknown(node) || isEmbedded(node);
}

function needOf(node: Node, need: (node: Node) => DefaultsNeed): DefaultsNeed {
  // Fields that no schema describes keep their nulls, so parts that may hold such fields are not like the others.
  const special = (child: Node): boolean =>
    defaultOf(child) !== undefined || child.schema.nullable === true || isOpen(child) || need(child) === 'code';
  if (childNodes(node).some(special) || (isOpen(node) && node.additional !== 'any' && holdsObjects(node)))
    return 'code';
  if (node.additional === 'any') return 'nothing';
  if (holdsObjects(node)) return 'nulls';
  return node.items === undefined ? 'nothing' : need(node.items);
}
