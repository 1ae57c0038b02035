/** The texts of validation rules, before they are compiled. */
import { stringAt } from '../../objects/guards.js';
import type { Fault } from './findings.js';
import { schemaListAt, valueAt } from './reading.js';
import type { SchemaNode } from './schema-node.js';

export const validations = 'x-kubernetes-validations';

export type TextRule =
  | 'rule-empty'
  | 'message-empty'
  | 'message-line-break'
  | 'message-missing'
  | 'message-expression-empty';

/** The rules on texts that a schema breaks. */
export function* textFaults({ raw }: SchemaNode): Generator<Fault<TextRule>> {
  for (const [i, each] of schemaListAt(raw, validations).entries()) {
    const at = [validations, i];
    const rule = stringAt(each, 'rule').trim();
    const message = valueAt(each, 'message');
    const words = stringAt(each, 'message').trim();
    if (message === '') yield { rule: 'message-empty', at: [...at, 'message'], value: message };
    if (rule === '') yield { rule: 'rule-empty', at: [...at, 'rule'] };
    else if (message !== undefined && message !== '' && words === '') {
      yield { rule: 'message-empty', at: [...at, 'message'], value: message };
    } else if (hasLineBreak(words)) yield { rule: 'message-line-break', at: [...at, 'message'], value: message };
    else if (hasLineBreak(rule) && words === '') yield { rule: 'message-missing', at: [...at, 'message'] };
    const expression = stringAt(each, 'messageExpression');
    if (expression !== '' && expression.trim() === '') {
      yield { rule: 'message-expression-empty', at: [...at, 'messageExpression'] };
    }
  }
}

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);
