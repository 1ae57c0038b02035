/**
 * Changes one value in a YAML text. Every byte outside the value stays the same: comments, order, quotes, anchors.
 * Reads the result of each edit, and compares it with the wanted value. If they differ (because of an alias, or a text
 * in an unusual form), prints the collection around the value again; then the collection around that, and so on.
 */

import { stringifyJson } from 'kindforge/client';
import { isRecord, type Place, valueAt, withValue } from './place.js';
import { memberAt, type YamlMember, type YamlNode } from './yaml-nodes.js';
import { printYaml, readYaml } from './yaml-text.js';

/** Returns the text with another value at a place; `undefined` removes it. The text must have no errors. */
export function editYaml(text: string, place: Place, next: unknown): string {
  const { root, value } = readYaml(text);
  const wanted = withValue(value, place, next);
  if (isSame(value, wanted)) return text;
  for (let depth = place.length; depth > 0; depth--) {
    const at = place.slice(0, depth);
    const edited = splice(text, root, at, depth === place.length ? next : valueAt(wanted, at));
    if (edited !== undefined && reads(edited, wanted)) return edited;
  }
  const below = `${text.trimEnd()}\n${printYaml(wanted)}`;
  return root === undefined && text.trim() !== '' && reads(below, wanted) ? below : printYaml(wanted);
}

/** The most changed values to edit one by one. With more, the whole text is printed. */
const maxEdits = 60;

/** Returns the text with another object. Changes only the different parts. */
export function rewriteYaml(text: string, next: unknown): string {
  const read = readYaml(text);
  if (read.errors.length > 0 || !isRecord(read.value)) return printYaml(next);
  const changes = [...changesOf(read.value, next, [])];
  if (changes.length > maxEdits) return printYaml(next);
  return changes.reduce((edited, [place, value]) => editYaml(edited, place, value), text);
}

/** Returns whether two values are equal. Ignores the order of fields. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one)) {
    return Array.isArray(other) && one.length === other.length && one.every((item, i) => isSame(item, other[i]));
  }
  if (!isRecord(one) || !isRecord(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(one[name], other[name]))
  );
}

type Change = readonly [place: Place, value: unknown];

/** Yields the changed values, the innermost first. Removed list items come from the end. */
function* changesOf(before: unknown, after: unknown, place: Place): Generator<Change> {
  if (isSame(before, after)) return;
  if (isRecord(before) && isRecord(after)) {
    for (const name of Object.keys({ ...before, ...after })) {
      const value = Object.hasOwn(after, name) ? after[name] : undefined;
      if (Object.hasOwn(before, name) && value !== undefined) yield* changesOf(before[name], value, [...place, name]);
      else yield [[...place, name], value];
    }
  } else if (Array.isArray(before) && Array.isArray(after) && after.length > 0) {
    for (let i = before.length - 1; i >= after.length; i--) yield [[...place, i], undefined];
    for (const [i, item] of after.entries()) {
      if (i < before.length) yield* changesOf(before[i], item, [...place, i]);
      else yield [[...place, i], item];
    }
  } else yield [place, after];
}

/** Returns whether a text has a value, and no errors. */
export function reads(text: string, wanted: unknown): boolean {
  const { value, errors } = readYaml(text);
  return errors.length === 0 && isSame(value, wanted);
}

/** Returns the text with the value at a place set, added or removed; `undefined` if that is not easy there. */
function splice(text: string, root: YamlNode | undefined, place: Place, value: unknown): string | undefined {
  const step = place[place.length - 1];
  const parent = root && nodeAt(root, place.slice(0, -1));
  if (step === undefined || parent === undefined) return undefined;
  const edit: Edit = { text, value, isFlow: parent.isFlow };
  if (parent.kind === 'map') {
    const at = parent.members.findIndex(({ name }) => name === String(step));
    const pair = parent.members[at];
    if (!pair) return value === undefined ? text : addPair(edit, parent, String(step), place.length === 1);
    return value === undefined ? removeAt(edit, parent.members, at) : setPair(edit, pair);
  }
  if (parent.kind !== 'list' || typeof step !== 'number') return undefined;
  const item = parent.members[step];
  if (item === undefined) return addItem(edit, parent.members);
  return value === undefined ? removeAt(edit, parent.members, step) : setItem(edit, item.value);
}

interface Edit {
  readonly text: string;
  readonly value: unknown;
  readonly isFlow: boolean;
}

/** Returns the node at a place. */
export const nodeAt = (root: YamlNode, place: Place): YamlNode | undefined =>
  place.reduce<YamlNode | undefined>((node, step) => node && memberAt(node, step)?.value, root);

function setPair(edit: Edit, { key, value: old }: YamlMember): string | undefined {
  const { text, value, isFlow } = edit;
  if (key === undefined) return undefined;
  if (isFlow) return replaced(text, old.from, old.to, stringifyJson(value));
  const whole = pairText(text, key, value);
  // A value on one line keeps the spaces around it.
  if (old.kind === 'scalar' && old.to > old.from && whole.startsWith(' '))
    return replaced(text, old.from, old.to, whole.slice(1));
  const colon = text.indexOf(':', key.to);
  const end = Math.max(old.to, colon + 1);
  return colon < 0 ? undefined : replaced(text, colon + 1, end, whole + (text[end - 1] === '\n' ? '\n' : ''));
}

function setItem({ text, value, isFlow }: Edit, { from, to }: YamlNode): string | undefined {
  if (isFlow) return replaced(text, from, to, stringifyJson(value));
  const dash = dashBefore(text, from);
  if (dash === undefined) return undefined;
  const item = indented(printYaml([value]), column(text, dash)).slice(from === dash + 1 ? 1 : 2);
  return replaced(text, from, to, item + (text[to - 1] === '\n' ? '\n' : ''));
}

/** Adds a pair at the end. In an object, `status` stays last. */
function addPair(
  { text, value, isFlow }: Edit,
  { members }: YamlNode,
  name: string,
  isTop: boolean,
): string | undefined {
  const isStatusLast = isTop && members.length > 1 && members.at(-1)?.name === 'status';
  const end = members.at(isStatusLast ? -2 : -1)?.value.to;
  const first = members[0]?.key;
  if (end === undefined || first === undefined) return undefined;
  if (isFlow) return replaced(text, end, end, `, ${stringifyJson(name)}: ${stringifyJson(value)}`);
  const indent = column(text, first.from);
  return addLines(text, end, ' '.repeat(indent) + indented(printYaml({ [name]: value }), indent));
}

function addItem({ text, value, isFlow }: Edit, items: readonly YamlMember[]): string | undefined {
  const [first, end] = [items[0]?.value.from, items.at(-1)?.value.to];
  if (first === undefined || end === undefined) return undefined;
  if (isFlow) return replaced(text, end, end, `, ${stringifyJson(value)}`);
  const dash = dashBefore(text, first);
  if (dash === undefined) return undefined;
  const indent = column(text, dash);
  return addLines(text, end, ' '.repeat(indent) + indented(printYaml([value]), indent));
}

/** Removes the lines of a member, or its part of the line that it shares with a dash. */
function removeAt({ text, isFlow }: Edit, members: readonly YamlMember[], at: number): string | undefined {
  const [from, next] = [startOf(text, members[at]), startOf(text, members[at + 1])];
  const end = members[at]?.value.to;
  if (isFlow || members.length === 1 || from === undefined || end === undefined) return undefined;
  const lineStart = text.lastIndexOf('\n', from - 1) + 1;
  if (text.slice(lineStart, from).trim() !== '') return next === undefined ? undefined : replaced(text, from, next, '');
  return replaced(text, lineStart, endOfLine(text, end), '');
}

const startOf = (text: string, member: YamlMember | undefined): number | undefined =>
  member && (member.key ? member.key.from : dashBefore(text, member.value.from));

/** Inserts whole lines after the line of an offset. */
function addLines(text: string, after: number, lines: string): string {
  const at = text[after - 1] === '\n' ? after : endOfLine(text, after);
  const isOpen = at > 0 && text[at - 1] !== '\n';
  return replaced(text, at, at, isOpen ? `\n${lines}` : `${lines}\n`);
}

/** Returns the start of the line after an offset; the same offset if it is such a start. */
export function endOfLine(text: string, from: number): number {
  if (from > 0 && text[from - 1] === '\n') return from;
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end + 1;
}

/** Returns the text of a pair after its colon, indented for the column of its key. */
function pairText(text: string, key: YamlNode, value: unknown): string {
  return indented(printYaml({ k: value }), column(text, key.from)).slice('k:'.length);
}

/** Indents all lines except the first, and removes the end of the last line. */
const indented = (printed: string, by: number): string =>
  printed.replace(/\n$/, '').replace(/\n(?!\n|$)/g, `\n${' '.repeat(by)}`);

/** Returns the column of an offset. */
export const column = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1);

/** Returns the offset of the dash of the item that begins at an offset. */
export function dashBefore(text: string, offset: number): number | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
  const found = /-(?:[ \t]+(?:[&!]\S+[ \t]+)*)?$/.exec(text.slice(lineStart, offset));
  return found ? lineStart + found.index : undefined;
}

/** Returns the text with a part replaced. */
export const replaced = (text: string, from: number, to: number, by: string): string =>
  text.slice(0, from) + by + text.slice(to);
