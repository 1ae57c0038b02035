/** Prints definitions as YAML that every reader takes for the same, YAML 1.1 ones included. */
import {
  DEFAULT_SCALAR_STYLE_RULES,
  DUMP_SCHEMA,
  dump,
  intYaml11Tag,
  SCALAR_STYLE,
  type ScalarStyleRule,
  type ScalarTagDefinition,
  type TagDefinition,
} from 'js-yaml';
import type { JsonObject } from '../../runtime/contract/index.js';

/** Prints a file. Keys keep their order, and long texts are folded. */
export function printDefinition(value: JsonObject): string {
  return dump(value, {
    schema,
    noRefs: true,
    skipInvalid: true,
    lineWidth: 120,
    quoteStyle: 'double',
    scalarStyleRules,
  });
}

const isInteger = (tag: TagDefinition): tag is ScalarTagDefinition =>
  tag.nodeKind === 'scalar' && tag.tagName === intYaml11Tag.tagName;
const integers = DUMP_SCHEMA.tags.find(isInteger) ?? intYaml11Tag;
/** Integers of 64 bits are written in full. */
const schema = DUMP_SCHEMA.withTags({
  ...integers,
  identify: (value: unknown) => typeof value === 'bigint' || integers.identify(value),
});

/** Keeps the lines of a text, if it has no invisible characters. */
const keepLines: ScalarStyleRule = (layout) => {
  const { value } = layout.node;
  const allowed = (layout.allowedStylesMask & (1 << SCALAR_STYLE.LITERAL_BLOCK)) !== 0;
  const isVisible = !/[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]/.test(value);
  if (!layout.isKey && allowed && isVisible && /\S[^\S\r\n\u2028\u2029]*\n/.test(value))
    layout.style = SCALAR_STYLE.LITERAL_BLOCK;
};
const scalarStyleRules = [keepLines, ...Object.values(DEFAULT_SCALAR_STYLE_RULES)];
