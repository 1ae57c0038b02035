/** Values as error messages print them where the printed form names the types of the reference. */
import type { JsonValue } from '../../runtime/contract/index.js';
import { stringList, Verbatim } from '../../runtime/objects/field-error.js';
import { isArray, isObject, isStringArray, objectAt, stringAt } from '../../runtime/objects/guards.js';
import { byCodePoint, quote } from '../../runtime/objects/printing.js';

/** Labels, as in `map[string]string{"a":"b"}`; absent ones are `map[string]string(nil)`. */
export function printedLabels(labels: JsonValue | undefined): Verbatim {
  if (!isObject(labels)) return new Verbatim('map[string]string(nil)');
  const keys = Object.keys(labels).sort(byCodePoint);
  const entries = keys.map((key) => `${quote(key)}:${quote(stringAt(labels, key))}`);
  return new Verbatim(`map[string]string{${entries.join(', ')}}`);
}

/** A label selector, as in `v1.LabelSelector{MatchLabels:…, MatchExpressions:…}`; an absent one is null. */
export function printedSelector(selector: JsonValue | undefined): Verbatim | undefined {
  if (!isObject(selector)) return undefined;
  const labels = printedLabels(objectAt(selector, 'matchLabels')).text;
  const type = '[]v1.LabelSelectorRequirement';
  const list = selector.matchExpressions;
  const expressions = isArray(list) ? `${type}{${list.map(printedRequirement).join(', ')}}` : `${type}(nil)`;
  return new Verbatim(`v1.LabelSelector{MatchLabels:${labels}, MatchExpressions:${expressions}}`);
}

function printedRequirement(value: JsonValue): string {
  const requirement = isObject(value) ? value : {};
  const values = isStringArray(requirement.values) ? stringList(requirement.values).text : '[]string(nil)';
  const key = quote(stringAt(requirement, 'key'));
  return `v1.LabelSelectorRequirement{Key:${key}, Operator:${quote(stringAt(requirement, 'operator'))}, Values:${values}}`;
}

/** A number or percentage, as in `intstr.IntOrString{Type:1, IntVal:0, StrVal:"5%"}`; an absent one is null. */
export function printedIntOrString(value: JsonValue | undefined): Verbatim | undefined {
  if (typeof value === 'number') return new Verbatim(`intstr.IntOrString{Type:0, IntVal:${value}, StrVal:""}`);
  if (typeof value !== 'string') return undefined;
  return new Verbatim(`intstr.IntOrString{Type:1, IntVal:0, StrVal:${quote(value)}}`);
}
