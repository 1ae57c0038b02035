/** What calls cost at run time where that depends on the sizes of their arguments; all others cost 1. */
import { textSize } from '../values/text.js';
import { CelMap, type CelValue, isList, itemsOf } from '../values/value.js';

export const selectCost = 1;
export const listCost = 10;
export const mapCost = 30;
export const messageCost = 40;

const perCharacter = 0.1;
const perPatternCharacter = 0.25;

/** Code points, bytes, items or entries; 1 for values without a size. */
export function sizeOf(value: CelValue | undefined): number {
  if (typeof value === 'string') return textSize(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (isList(value)) return itemsOf(value).length;
  if (value instanceof Uint8Array) return value.length;
  return value instanceof CelMap ? value.size : 1;
}

/** The cost of a call before it is made. */
export type CallCost = (args: readonly CelValue[]) => number;

const traversal: CallCost = ([text]) => Math.ceil(sizeOf(text) * perCharacter);
const comparison: CallCost = ([a, b]) => Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * perCharacter);
const joining: CallCost = ([a, b]) => Math.ceil((sizeOf(a) + sizeOf(b)) * perCharacter);
const containing: CallCost = ([a, b]) => Math.ceil(sizeOf(a) * perCharacter) * Math.ceil(sizeOf(b) * perCharacter);
const items: CallCost = ([list]) => sizeOf(list);
const member: CallCost = ([, list]) => sizeOf(list);
const both: CallCost = ([a, b]) => sizeOf(a) * sizeOf(b);

/** A text of no length is matched at a cost, too: its pattern may be long. */
const matching: CallCost = ([text, pattern]) =>
  Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(sizeOf(pattern) * perPatternCharacter);

function all(ids: string, cost: CallCost): [string, CallCost][] {
  return ids.split(' ').map((id) => [id, cost]);
}

const orders = ['less', 'less_equals', 'greater', 'greater_equals'];

/** Costs of calls by overload. */
export const callCosts: ReadonlyMap<string, CallCost> = new Map([
  ...all('starts_with_string ends_with_string string_to_bytes bytes_to_string', traversal),
  ...all('equals not_equals', comparison),
  ...orders.flatMap((order) => all(`${order}_string ${order}_bytes`, comparison)),
  ...all('add_string add_bytes', joining),
  ...all('matches matches_string string_find_string string_find_all_string string_find_all_string_int', matching),
  ...all('contains_string', containing),
  ...all('in_list', member),
  ...all('string_to_url string_is_url string_lower_ascii string_upper_ascii string_trim', traversal),
  ...all('string_substring_int string_substring_int_int string_replace_string_string', traversal),
  ...all(
    'string_replace_string_string_int string_split_string string_split_string_int string_reverse string_quote',
    traversal,
  ),
  ...all('string_char_at_int string_index_of_string string_index_of_string_int', traversal),
  ...all('string_last_index_of_string string_last_index_of_string_int', traversal),
  ...all('list_sum_int list_sum_uint list_sum_double list_sum_duration list_index_of list_last_index_of', items),
  ...['min', 'max', 'is_sorted'].flatMap((name) =>
    all(
      ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'duration', 'timestamp']
        .map((type) => `list_${name}_${type}`)
        .join(' '),
      items,
    ),
  ),
  ...all('list_sets_contains_list list_sets_equivalent_list list_sets_intersects_list', both),
  ...all('string_to_quantity string_is_quantity string_to_ip string_is_ip string_to_cidr string_is_cidr', traversal),
  ...all('named_format_validate', ([, text]) => Math.ceil(sizeOf(text) * perCharacter)),
]);
