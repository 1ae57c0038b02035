/** Findings of the rules of schemas: without words, since every caller has its own. */
import type { JsonValue } from '../../contract/index.js';
import type { Path, SchemaNode } from './schema-node.js';

/** A rule that a schema breaks by itself. */
export interface Fault<Rule extends string> {
  readonly rule: Rule;
  /** Steps from the schema to the keyword that is wrong or missing. */
  readonly at: Path;
  /** The wrong value; absent where something is missing. */
  readonly value?: JsonValue | undefined;
  /** The property or keyword that the rule is about. */
  readonly name?: string;
  /** The place of the name in the list that has it. */
  readonly index?: number;
  /** Whether the name is in the list earlier. */
  readonly isRepeated?: boolean;
  /** Steps to each keyword that breaks the rule, if there can be several. */
  readonly parts?: readonly Path[];
}

/** A fault and the schema that has it. */
export interface FindingOf<Rule extends string> extends Fault<Rule> {
  readonly node: SchemaNode;
}
