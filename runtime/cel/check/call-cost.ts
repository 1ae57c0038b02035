/** The costs of calls at run time that depend on the sizes of the arguments; all other calls cost 1. */
import { textSize } from '../values/text.js';
import { CelMap, type CelValue, isInt, isList, itemsOf, Opaque, StructValue } from '../values/value.js';
import { authorizationCost } from './range.js';

export const selectCost = 1;
/**
 * The cost of making a list in an expression or macro, without its items. The reference has 10; the specification has
 * 40.
 */
export const listCost = 10;
export const mapCost = 30;
export const messageCost = 40;

const perCharacter = 0.1;
const perPatternCharacter = 0.25;

/** Returns the code points, bytes, items or entries of a value; 1 for values without a size. */
export function sizeOf(value: CelValue | undefined): number {
  if (typeof value === 'string') return textSize(value);
  if (typeof value !== 'object' || value === null) return 1;
  if (isList(value)) return itemsOf(value).length;
  if (value instanceof Uint8Array) return value.length;
  return value instanceof CelMap || value instanceof StructValue ? value.size : 1;
}

/** The cost of a call before it is made, by its arguments. */
export type CallCost = (a: CelValue, b: CelValue, c: CelValue) => number;

/** Returns a tenth of a size, rounded up. Most texts are short; for these it does not count code points. */
export function tenth(value: CelValue): number {
  if (typeof value === 'string' && value.length <= 10) return value.length === 0 ? 0 : 1;
  return Math.ceil(sizeOf(value) * perCharacter);
}

function comparison(a: CelValue, b: CelValue): number {
  return Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * perCharacter);
}

/** Returns the cost of matching. An empty text also has a cost, because its pattern may be long. */
export function matchingCost(text: number, pattern: number): number {
  return Math.ceil((1 + text) * perCharacter) * Math.ceil(pattern * perPatternCharacter);
}

function joining(a: CelValue, b: CelValue): number {
  const short = typeof a === 'string' && typeof b === 'string' && a.length + b.length <= 10;
  if (short) return a.length + b.length === 0 ? 0 : 1;
  return Math.ceil((sizeOf(a) + sizeOf(b)) * perCharacter);
}

const containing: CallCost = (a, b) => tenth(a) * tenth(b);
const items: CallCost = (list) => sizeOf(list);
const member: CallCost = (_, list) => sizeOf(list);
const matching: CallCost = (text, pattern) => matchingCost(sizeOf(text), sizeOf(pattern));

/** Returns the cost of a named format, which is matched like its pattern. */
const validation: CallCost = (format, text) =>
  matchingCost(sizeOf(text), format instanceof Opaque ? format.patternSize : 1);

/** Returns the cost of reading a selector and of one requirement for every two characters. */
const selector: CallCost = (_, text) => listCost + tenth(text) + Math.ceil(sizeOf(text) / 2) * (listCost + messageCost);

const twice: CallCost = (text) => Math.ceil(sizeOf(text) * 2 * perCharacter);
const indexing: CallCost = (text) => Math.floor(sizeOf(text) * perCharacter);
const pairs: CallCost = (a, b) => 1 + sizeOf(a) * sizeOf(b);
const pairsTwice: CallCost = (a, b) => 1 + 2 * sizeOf(a) * sizeOf(b);

/** The shortest requirement of a selector has two characters. It costs a list and an object. */
export const requirementsPerCharacter = 0.5;
export const requirementCost = listCost + messageCost;

/** Returns the cost of reading a selector: its text, and the most requirements that it may have. */
function selecting(_: CelValue, selector: CelValue): number {
  const size = sizeOf(selector);
  const requirements = Math.ceil(size * requirementsPerCharacter);
  return listCost + Math.ceil(size * perCharacter) + requirements * requirementCost;
}

/** The cost of a call that makes a list, without the cost of its items. */
export const madeListCost = 1 + listCost;

/**
 * Returns the cost of comparing each item of a list with every other item. Texts and bytes add a tenth for each pair.
 */
function comparisonOfAll(list: CelValue): number {
  const size = sizeOf(list);
  const first = isList(list) ? itemsOf(list)[0] : undefined;
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + perCharacter : 2;
  return madeListCost + Math.floor(size * size * factor);
}

const sorting: CallCost = (list) => comparisonOfAll(list);
const sortingBy: CallCost = (_, keys) => comparisonOfAll(keys);
const flattening: CallCost = (list, levels) => madeListCost + sizeOf(list) * (isInt(levels) ? Number(levels) : 1);

function all(ids: string, cost: CallCost): [string, CallCost][] {
  return ids.split(' ').map((id) => [id, cost]);
}

/** Returns the overloads of a function: one for each type that has an order. */
export const perType = (prefix: string): string =>
  ['int', 'uint', 'double', 'bool', 'string', 'bytes', 'duration', 'timestamp'].map((type) => prefix + type).join(' ');

const orders = ['less', 'less_equals', 'greater', 'greater_equals'];

/** Costs of calls by overload. */
export const callCosts: ReadonlyMap<string, CallCost> = new Map([
  ...all('starts_with_string ends_with_string string_to_bytes bytes_to_string', tenth),
  ...all('equals not_equals', comparison),
  ...orders.flatMap((order) => all(`${order}_string ${order}_bytes`, comparison)),
  ...all('add_string add_bytes', joining),
  ...all('matches matches_string string_find_string string_find_all_string string_find_all_string_int', matching),
  ...all('contains_string', containing),
  ...all('in_list', member),
  ...all('string_to_url string_lower_ascii string_upper_ascii string_trim strings_quote string_format', tenth),
  ...all('string_substring_int string_substring_int_int string_reverse', tenth),
  ...all('string_replace_string_string string_replace_string_string_int', twice),
  ...all('string_split_string string_split_string_int', twice),
  ...all('string_index_of_string string_index_of_string_int', indexing),
  ...all('string_last_index_of_string string_last_index_of_string_int', indexing),
  ...all('list_sum_int list_sum_uint list_sum_double list_sum_duration list_index_of list_last_index_of', items),
  ...['min', 'max', 'is_sorted'].flatMap((name) => all(perType(`list_${name}_`), items)),
  ...all('string_to_quantity is_quantity_string string_to_ip is_ip_string string_to_cidr is_cidr_string', tenth),
  ...all('resourcecheck_fieldselector resourcecheck_labelselector', selector),
  ...all('ip_is_canonical', twice),
  ...all('pathcheck_check resourcecheck_check', () => authorizationCost),
  ...all('resourcecheck_fieldselector resourcecheck_labelselector', selecting),
  ...all('format_validate', validation),
  ...all('list_sets_contains_list list_sets_intersects_list', pairs),
  ...all('list_sets_equivalent_list', pairsTwice),
  ...all('string_to_semver string_bool_to_semver is_semver_string is_semver_string_bool', tenth),
  ...all('list_flatten list_flatten_int', flattening),
  ...all(`list_distinct ${perType('list_sort_')}`, sorting),
  ...all(perType('list_sort_by_'), sortingBy),
]);

/** Costs that depend on the result of a call. */
export const resultCosts: ReadonlyMap<string, CallCost> = new Map([
  ...all('list_join list_join_string', twice),
  ...all('list_slice list_reverse lists_range', (result) => madeListCost + sizeOf(result)),
]);

/**
 * Overloads that parse a text. In the reference they cost 1 for any length, but take linear time. So the meter counts
 * the text as read data.
 */
export const textReaders: ReadonlySet<string> = new Set([
  'string_to_double',
  'string_to_timestamp',
  'string_to_duration',
  'base64_decode_string',
  'is_url_string',
]);

/** Returns whether the cost or reads of a call depend on values. */
export function hasDynamicCost(id: string): boolean {
  return callCosts.has(id) || resultCosts.has(id) || textReaders.has(id);
}
