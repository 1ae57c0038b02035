/** Rules on `x-kubernetes-validations`, as far as they can be told without reading the expressions. */
import type { ValidationRule } from '../../../runtime/contract/index.js';
import { follow, parsePath } from '../json-path.js';
import { type Say, type SchemaNode, writes } from './schema-node.js';

const KEY = 'x-kubernetes-validations';

/** Rules are not empty and can say what they mean in one line. */
export function checkExpressions(node: SchemaNode, say: Say): void {
  if (!writes(node, KEY)) return;
  (node.schema[KEY] ?? []).forEach((rule, index) => {
    checkRule(node, rule, index, say);
  });
}

function checkRule(node: SchemaNode, rule: ValidationRule, index: number, sayAt: Say): void {
  const say = (key: string, message: string, suggestion?: string): void =>
    sayAt('KF4019', [KEY, index, key], message, suggestion);
  const isEmpty = rule.rule.trim() === '';
  if (isEmpty) sayAt('KF4018', [KEY, index, 'rule'], 'the rule is empty');
  if (rule.message !== undefined) {
    if (rule.message.trim() === '')
      say('message', 'the message is empty', 'leave it out to have the rule itself quoted');
    else if (hasLineBreak(rule.message.trim())) say('message', 'a message must be one line');
  } else if (!isEmpty && hasLineBreak(rule.rule.trim()) && rule.messageExpression === undefined) {
    say('rule', 'a rule of several lines must have a message', 'add `message`');
  }
  if (rule.messageExpression !== undefined && rule.messageExpression.trim() === '') {
    say('messageExpression', 'the expression is empty', 'leave it out');
  }
  if (rule.fieldPath !== undefined && !leadsToField(rule.fieldPath, node)) {
    say(
      'fieldPath',
      `\`${rule.fieldPath}\` is not the path of a field`,
      "write it as in `.spec.name` or `.labels['a.b']`",
    );
  }
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

/** Whether a text is a path of names, each as `.name` or `['name']`, from a node to a field below it. */
function leadsToField(text: string, node: SchemaNode): boolean {
  if (/\[[^']|\.\.|\.\*/.test(text)) return false;
  const parsed = parsePath(text);
  return 'steps' in parsed && follow(node.schema, parsed.steps).found !== undefined;
}
