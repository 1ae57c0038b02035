/** Findings of the rules of schemas. They have no words, because each caller words them itself. */
import type { JsonValue } from '../../contract/index.js';
import type { Path, SchemaNode } from './schema-node.js';

/** A rule that a single schema breaks. */
export interface Fault<Rule extends string> {
  readonly rule: Rule;
  /** The steps from the schema to the wrong or missing keyword. */
  readonly at: Path;
  /** The wrong value; absent if something is missing. */
  readonly value?: JsonValue | undefined;
  /** The property or keyword that the rule is about. */
  readonly name?: string;
  /** The index of the name in its list. */
  readonly index?: number;
  /** Whether the name is already in the list before this index. */
  readonly isRepeated?: boolean;
  /** The steps to each keyword that breaks the rule, if several may break it. */
  readonly parts?: readonly Path[];
}

/** A fault and the schema that has it. */
export interface FindingOf<Rule extends string> extends Fault<Rule> {
  readonly node: SchemaNode;
}
