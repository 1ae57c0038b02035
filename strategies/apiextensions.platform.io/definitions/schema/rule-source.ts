/** Prints rules as messages show them: as the source of a value. */
import type { ValidationRule } from '../../../../runtime/contract/index.js';
import { quote } from '../../../../runtime/objects/printing.js';

/** A rule with its texts. */
export function ruleSource({ rule, message = '', messageExpression = '' }: ValidationRule): string {
  const texts = `Rule:${quote(rule)}, Message:${quote(message)}, MessageExpression:${quote(messageExpression)}`;
  return `apiextensions.ValidationRule{${texts}}`;
}
