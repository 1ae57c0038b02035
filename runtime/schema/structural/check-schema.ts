/** Checks schemas: finds all rules that a schema and the schemas below it break. */
import type { Fault, FindingOf } from './findings.js';
import { type ListRule, listFaults } from './list-rules.js';
import { type KeywordRule, keepsUnknown, keywordFaults, type NodeRule, nodeFaults } from './node-rules.js';
import { valueAt } from './reading.js';
import type { RootRule } from './root-rules.js';
import { nodesBelow, type SchemaNode } from './schema-node.js';
import { type TextRule, textFaults, type ValueRule, valueFaults } from './value-rules.js';

/** Every rule that a schema can break. */
export type SchemaRule = NodeRule | ValueRule | KeywordRule | ListRule | TextRule | RootRule;

/** A broken rule, and its place. */
export type Finding = FindingOf<SchemaRule>;

/** Yields the findings in the order of the API server's reports. */
export function* schemaFindings(node: SchemaNode): Generator<Finding> {
  for (const fault of ownFaults(node)) yield { ...fault, node };
  for (const below of nodesBelow(node)) yield* schemaFindings(below);
  for (const fault of lastFaults(node)) yield { ...fault, node };
}

function* ownFaults(node: SchemaNode): Generator<Fault<SchemaRule>> {
  if (node.level !== 'part') {
    if (node.level !== 'rule') yield* nodeFaults(node);
    yield* valueFaults(node);
  }
  yield* keywordFaults(node);
}

/** Yields the findings of rules that are checked after the schemas below the node. */
function* lastFaults(node: SchemaNode): Generator<Fault<SchemaRule>> {
  if (valueAt(node.schema, keepsUnknown) === false) yield { rule: 'keeps-nothing', at: [keepsUnknown], value: false };
  yield* listFaults(node.schema);
  yield* textFaults(node);
}
