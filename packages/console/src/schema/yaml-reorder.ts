/**
 * Moves items of lists and renames keys of maps in a YAML text, with their comments. Reads the result of each edit,
 * too.
 */
import { stringifyJson } from 'kindforge/client';
import { type Place, valueAt, withMoved, withRenamed } from './place.js';
import { column, dashBefore, editYaml, endOfLine, nodeAt, reads, replaced } from './yaml-edit.js';
import { memberAt, type YamlNode } from './yaml-nodes.js';
import { printYaml, readYaml } from './yaml-text.js';

/** Returns the text with an item moved one step up or down in its list. The text must have no errors. */
export function moveItem(text: string, place: Place, by: 1 | -1): string {
  const { root, value } = readYaml(text);
  const list = place.slice(0, -1);
  const wanted = withMoved(value, place, by);
  const node = root && nodeAt(root, list);
  const edited = node && swapped(text, node, Number(place.at(-1)) + Math.min(by, 0));
  return edited !== undefined && reads(edited, wanted) ? edited : editYaml(text, list, valueAt(wanted, list));
}

/**
 * Returns the text with another name for a key. The map must not have this name yet, and the text must have no errors.
 */
export function renameKey(text: string, place: Place, name: string): string {
  const { root, value } = readYaml(text);
  const map = place.slice(0, -1);
  const wanted = withRenamed(value, place, name);
  const node = root && nodeAt(root, map);
  const key = node && memberAt(node, place.at(-1) ?? '')?.key;
  const edited = key && replaced(text, key.from, key.to, keyText(name, node.isFlow));
  return edited !== undefined && reads(edited, wanted) ? edited : editYaml(text, map, valueAt(wanted, map));
}

const keyText = (name: string, isFlow: boolean): string =>
  isFlow ? stringifyJson(name) : printYaml({ [name]: null }).replace(/: null\n$/, '');

/** Swaps an item of a list with the next one; returns `undefined` if one of them does not begin its line. */
function swapped(text: string, { kind, isFlow, members }: YamlNode, first: number): string | undefined {
  const [one, two] = [members[first]?.value, members[first + 1]?.value];
  if (kind !== 'list' || one === undefined || two === undefined) return undefined;
  if (isFlow)
    return replaced(
      replaced(text, two.from, two.to, text.slice(one.from, one.to)),
      one.from,
      one.to,
      text.slice(two.from, two.to),
    );
  const [start, middle] = [startOfItem(text, one), startOfItem(text, two)];
  if (start === undefined || middle === undefined) return undefined;
  const end = endOfLine(text, two.to);
  const second = text.slice(middle, end).replace(/(?<!\n)$/, '\n');
  return replaced(text, start, end, second + text.slice(start, middle));
}

/** Returns the start of the lines of an item, including the comments right above it. */
function startOfItem(text: string, { from }: YamlNode): number | undefined {
  const dash = dashBefore(text, from);
  if (dash === undefined) return undefined;
  let start = dash - column(text, dash);
  if (text.slice(start, dash).trim() !== '') return undefined;
  while (start > 0) {
    const above = text.lastIndexOf('\n', start - 2) + 1;
    if (!/^\s*#/.test(text.slice(above, start))) break;
    start = above;
  }
  return start;
}
