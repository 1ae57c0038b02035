/** Prints values as error messages do, with the type names of the reference. */
import type { LabelSelector, LabelSelectorRequirement } from '../../generated/types/meta/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { stringList, Verbatim } from '../../runtime/objects/field-error.js';
import { byCodePoint, quote } from '../../runtime/objects/printing.js';

/** Prints labels as in `map[string]string{"a":"b"}`; missing labels are `map[string]string(nil)`. */
export function printedLabels(labels: Readonly<Record<string, string>> | undefined): Verbatim {
  if (!labels) return new Verbatim('map[string]string(nil)');
  const entries = Object.entries(labels).sort(([a], [b]) => byCodePoint(a, b));
  const texts = entries.map(([key, value]) => `${quote(key)}:${quote(value)}`);
  return new Verbatim(`map[string]string{${texts.join(', ')}}`);
}

/** Prints an object of texts with its type, as in `core.EventSource{Component:"a", Host:""}`. */
export function printedTexts(type: string, fields: Readonly<Record<string, string | undefined>>): Verbatim {
  const texts = Object.entries(fields).map(([name, value = '']) => `${name}:${quote(value)}`);
  return new Verbatim(`${type}{${texts.join(', ')}}`);
}

/** Prints a label selector as in `v1.LabelSelector{MatchLabels:…, MatchExpressions:…}`; a missing one is null. */
export function printedSelector(selector: Draft<LabelSelector> | undefined): Verbatim | undefined {
  if (!selector) return undefined;
  const { matchLabels, matchExpressions } = selector;
  const labels = printedLabels(matchLabels).text;
  const requirements = matchExpressions?.map(printedRequirement).join(', ');
  const expressions = requirements === undefined ? '(nil)' : `{${requirements}}`;
  return new Verbatim(
    `v1.LabelSelector{MatchLabels:${labels}, MatchExpressions:[]v1.LabelSelectorRequirement${expressions}}`,
  );
}

function printedRequirement({ key = '', operator = '', values }: Draft<LabelSelectorRequirement>): string {
  const list = values ? stringList(values).text : '[]string(nil)';
  return `v1.LabelSelectorRequirement{Key:${quote(key)}, Operator:${quote(operator)}, Values:${list}}`;
}

/** Prints a number or percentage as in `intstr.IntOrString{Type:1, IntVal:0, StrVal:"5%"}`; a missing one is null. */
export function printedIntOrString(value: number | string | undefined): Verbatim | undefined {
  if (typeof value === 'number')
    return new Verbatim(`intstr.IntOrString{Type:0, IntVal:${value}, StrVal:""}`, String(value));
  if (value === undefined) return undefined;
  return new Verbatim(`intstr.IntOrString{Type:1, IntVal:0, StrVal:${quote(value)}}`, quote(value));
}

const shown = 3;

/** Returns the first three texts, and how many more there are. */
export function shortened(texts: readonly string[]): string {
  const first = texts.slice(0, shown).join(',');
  return texts.length > shown ? `${first} + ${texts.length - shown} more...` : first;
}
