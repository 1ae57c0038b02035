/** The texts of validation rules, before they are compiled. */
import { invalidValue, required } from '../../../../runtime/objects/field-error.js';
import { stringAt } from '../../../../runtime/objects/guards.js';
import { schemaListAt } from '../../../../runtime/schema/structural/index.js';
import type { FieldErrors } from '../../../shared/field-checks.js';
import type { SchemaNode } from './node.js';

/** Errors of the texts of a schema's own rules. */
export function* ruleTextErrors({ schema, path }: SchemaNode): FieldErrors {
  for (const [i, rule] of schemaListAt(schema, 'x-kubernetes-validations').entries()) {
    const field = `${path}.x-kubernetes-validations[${i}]`;
    yield* oneErrors(stringAt(rule, 'rule').trim(), stringAt(rule, 'message'), field);
    const expression = stringAt(rule, 'messageExpression');
    if (expression !== '' && expression.trim() === '') {
      yield required(`${field}.messageExpression`, 'messageExpression must be non-empty if specified');
    }
  }
}

function* oneErrors(rule: string, message: string, field: string): FieldErrors {
  const words = message.trim();
  const place = `${field}.message`;
  if (rule === '') yield required(`${field}.rule`, 'rule is not specified');
  else if (message !== '' && words === '') yield invalidValue(place, message, 'message must be non-empty if specified');
  else if (hasLineBreak(words)) yield invalidValue(place, message, 'message must not contain line breaks');
  else if (hasLineBreak(rule) && words === '') {
    yield required(place, 'message must be specified if rule contains line breaks');
  }
}

const hasLineBreak = (text: string): boolean => /[\n\r]/.test(text);
