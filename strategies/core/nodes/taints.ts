/** Rules of a node's taints, which keep pods away. A node has one taint per key and effect. */
import type { Taint } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { invalidValue } from '../../../runtime/objects/field-error.js';
import { labelValue, qualifiedNameCheck } from '../../../runtime/objects/names/key-names.js';
import { quote } from '../../../runtime/objects/printing.js';
import { checkRequiredOneOf, checkText, type FieldErrors } from '../../shared/field-checks.js';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** A list of taints at its path. */
export function* checkTaints(taints: readonly Draft<Taint>[], path: string): FieldErrors {
  const seen = new Set<string>();
  for (const [i, taint] of taints.entries()) {
    const at = `${path}[${i}]`;
    const { key = '', value = '', effect = '' } = taint;
    yield* checkText(`${at}.key`, key, qualifiedNameCheck);
    const problems = labelValue(value);
    if (problems.length > 0) yield invalidValue(`${at}.value`, value, problems.join(';'));
    yield* checkRequiredOneOf(effect, `${at}.effect`, effects);
    const pair = `${effect}:${key}`;
    if (seen.has(pair)) yield { reason: 'FieldValueDuplicate', field: at, message: repeated(taint) };
    seen.add(pair);
  }
}

function repeated({ key = '', value = '', effect = '', timeAdded }: Draft<Taint>): string {
  const time = timeAdded === undefined ? '(*v1.Time)(nil)' : quote(timeAdded);
  const printed = `core.Taint{Key:${quote(key)}, Value:${quote(value)}, Effect:${quote(effect)}, TimeAdded:${time}}`;
  return `Duplicate value: ${printed}: taints must be unique by key and effect pair`;
}
