/** Taints of nodes: which pods a node keeps away, each told once per key and effect. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { invalidValue, notSupported, required } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import { labelValue, qualifiedNameCheck } from '../../../runtime/objects/key-names.js';
import { quote } from '../../../runtime/objects/printing.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

/** A list of taints at its path. */
export function* checkTaints(taints: readonly JsonObject[], path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, taint] of taints.entries()) {
    const at = `${path}[${i}]`;
    const [key, effect] = [stringAt(taint, 'key'), stringAt(taint, 'effect')];
    yield* checkText(`${at}.key`, key, qualifiedNameCheck);
    const problems = labelValue(stringAt(taint, 'value'));
    if (problems.length > 0) yield invalidValue(`${at}.value`, stringAt(taint, 'value'), problems.join(';'));
    if (effect === '') yield required(`${at}.effect`);
    else if (!effects.some((known) => known === effect)) yield notSupported(`${at}.effect`, effect, effects);
    const pair = `${effect}:${key}`;
    if (seen.has(pair)) yield { reason: 'FieldValueDuplicate', field: at, message: repeated(taint) };
    seen.add(pair);
  }
}

function repeated(taint: JsonObject): string {
  const fields = ['Key', 'Value', 'Effect'].map((name) => `${name}:${quote(stringAt(taint, name.toLowerCase()))}`);
  const time = taint.timeAdded === undefined ? '(*v1.Time)(nil)' : quote(stringAt(taint, 'timeAdded'));
  const value = `core.Taint{${fields.join(', ')}, TimeAdded:${time}}`;
  return `Duplicate value: ${value}: taints must be unique by key and effect pair`;
}
