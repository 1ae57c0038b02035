/** Estimates the costs of function calls from the sizes of their arguments. */

import type { Overload } from '../environment.js';
import type { Expr } from '../syntax/ast.js';
import { listCost, madeListCost, perType, requirementCost, requirementsPerCharacter } from './call-cost.js';
import { add, anySize, exactly, multiply, one, type Range, scale, union } from './range.js';
import type { Type } from './types.js';

/** An argument, its type and sizes. */
export interface Operand {
  readonly expr: Expr;
  readonly type: Type;
  readonly size: Range;
  /** For lists: the size of their items. */
  readonly itemSize: Range | undefined;
}

export interface CallEstimate {
  readonly cost: Range;
  /** The size of the result, if known. */
  readonly size?: Range;
  /**
   * The size of the result as later releases compute it. Release 1.27 assumes any size for the results of these
   * functions.
   */
  readonly laterSize?: Range;
}

const perCharacter = 0.1;
const perPatternCharacter = 0.25;

/** Costs beyond the costs of the arguments, for one overload. */
type Rule = (args: readonly Operand[]) => CallEstimate;

const size = (args: readonly Operand[], i: number): Range => args[i]?.size ?? anySize;

const traversal: Rule = (args) => ({ cost: scale(size(args, 0), perCharacter) });
const prefix: Rule = (args) => ({ cost: scale(size(args, 1), perCharacter) });
const sameSize: Rule = (args) => ({ cost: scale(size(args, 0), perCharacter), laterSize: size(args, 0) });

/** Estimates the bytes of a text: up to four for a character. */
const toBytes: Rule = (args) => {
  const { min, max } = size(args, 0);
  return { ...traversal(args), size: { min, max: max * 4 } };
};
const toText: Rule = (args) => {
  const { min, max } = size(args, 0);
  return { ...traversal(args), size: { min: Math.floor(min / 4), max } };
};

/** Estimates a quoted text: two more quotes, and up to one backslash for each character. */
const quoting: Rule = (args) => {
  const { min, max } = size(args, 0);
  return { ...traversal(args), size: { min: min + 2, max: max * 2 + 2 } };
};

const comparison: Rule = (args) => {
  const max = Math.min(size(args, 0).max, size(args, 1).max);
  return { cost: scale({ min: max > 0 ? 1 : 0, max }, perCharacter) };
};

const matching: Rule = (args) => {
  const text = scale(add(size(args, 0), one), perCharacter);
  return { cost: multiply(text, scale(size(args, 1), perPatternCharacter)) };
};

/** Every named format costs as much as a long pattern. */
const namedPattern: Range = { min: 32, max: 32 };

const finding: Rule = (args) => ({ ...matching(args), laterSize: { min: 0, max: size(args, 0).max } });

const containing: Rule = (args) => ({
  cost: multiply(scale(size(args, 0), perCharacter), scale(size(args, 1), perCharacter)),
});

const joining: Rule = (args) => {
  const sum = add(size(args, 0), size(args, 1));
  return { cost: scale(sum, perCharacter), size: sum };
};

/** Estimates a visit of each item, including the traversal of texts and bytes. */
const listTraversal: Rule = ([list]) => {
  if (list === undefined) return { cost: one };
  const element = list.type.kind === 'list' ? list.type.element.kind : undefined;
  const traversed = element === 'string' || element === 'bytes';
  const each = traversed ? add(one, scale(list.itemSize ?? anySize, perCharacter)) : one;
  return { cost: multiply(list.size, each) };
};

/**
 * Estimates a replacement. The result is shortest if the longest parts are replaced by the shortest text, and longest
 * in the reverse case.
 */
const replacement: Rule = (args) => {
  const [text, from, to] = [size(args, 0), size(args, 1), size(args, 2)];
  return { cost: scale(text, 2 * perCharacter), laterSize: replacedSize(text, from, to) };
};

function replacedSize(text: Range, from: Range, to: Range): Range {
  const shrinks = to.min < from.max;
  const grows = to.max > from.min;
  const min = shrinks ? Math.ceil((text.min * to.min) / Math.max(from.max, 1)) : text.min;
  const largest = from.min === 0 ? (text.max + 1) * to.max + text.max : Math.ceil((text.max * to.max) / from.min);
  return { min, max: grows ? largest : text.max };
}

const splitting: Rule = (args) => {
  const limit = args[2]?.expr;
  const text = size(args, 0);
  const max = limit?.kind === 'constant' && limit.literal.type === 'int' ? Number(limit.literal.value) : text.max;
  return { cost: scale(text, 2 * perCharacter), laterSize: { min: 0, max } };
};

const concatenating: Rule = ([list, separator]) => {
  const count = list?.size ?? anySize;
  const texts = multiply(count, list?.itemSize ?? anySize);
  const between = { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) };
  const total = separator === undefined ? texts : add(texts, multiply(separator.size, between));
  return { cost: scale(total, 2 * perCharacter), laterSize: total };
};

/** Estimates a call that makes a list. Each visit costs `factor`. */
const makingList = (visits: Range, factor = 1): CallEstimate => ({
  cost: add(exactly(madeListCost), scale(visits, factor)),
  size: visits,
});

const reversal: Rule = (args) => makingList(size(args, 0));
const counting: Rule = (args) => makingList(exactly(wholeLiteral(args[0], Number.POSITIVE_INFINITY)));
const flattening: Rule = (args) =>
  makingList(size(args, 0), args[1] === undefined ? 1 : wholeLiteral(args[1], Number.POSITIVE_INFINITY));

const slicing: Rule = (args) => {
  const [from, to] = [wholeLiteral(args[1], 0), wholeLiteral(args[2], size(args, 0).max)];
  return makingList(exactly(Math.max(0, to - from)));
};

/** Returns the value of a literal number, or `otherwise` for other expressions. */
function wholeLiteral(operand: Operand | undefined, otherwise: number): number {
  const { expr } = operand ?? {};
  const isWhole = expr?.kind === 'constant' && (expr.literal.type === 'int' || expr.literal.type === 'uint');
  return isWhole ? Number(expr.literal.value) : otherwise;
}

/** Estimates the comparison of each item of a list with every other item. */
function comparisonOfAll(keys: Operand | undefined): CallEstimate {
  const count = keys?.size ?? anySize;
  const element = keys?.type.kind === 'list' ? keys.type.element.kind : undefined;
  return makingList(multiply(count, count), element === 'string' || element === 'bytes' ? 2 + perCharacter : 2);
}

/** Estimates the reading of a selector: its text, and the most requirements that it may have. */
const selecting: Rule = (args) => {
  const requirements = scale(scale(size(args, 1), requirementsPerCharacter), requirementCost);
  return { cost: add(exactly(listCost), scale(size(args, 1), perCharacter), requirements) };
};

const sorting: Rule = ([list]) => comparisonOfAll(list);
const sortingBy: Rule = ([, keys]) => comparisonOfAll(keys);
const removingDoubles: Rule = (args) => makingList(multiply(size(args, 0), size(args, 0)), 2);

function rules(ids: string, rule: Rule): [string, Rule][] {
  return ids.split(' ').map((id) => [id, rule]);
}

const orders = ['less', 'less_equals', 'greater', 'greater_equals'];

const estimates: ReadonlyMap<string, Rule> = new Map([
  ...rules('starts_with_string ends_with_string', prefix),
  ...rules('string_to_url', traversal),
  ...rules('string_to_bytes', toBytes),
  ...rules('bytes_to_string', toText),
  ...rules('strings_quote', quoting),
  ...rules('equals not_equals', comparison),
  ...orders.flatMap((order) => rules(`${order}_string ${order}_bytes`, comparison)),
  ...rules('in_list', (args) => ({ cost: size(args, 1) })),
  ...rules('matches matches_string', matching),
  ...rules('string_find_string string_find_all_string string_find_all_string_int', finding),
  ...rules('contains_string', containing),
  ...rules('add_string add_bytes', joining),
  ...rules('add_list', (args) => ({ cost: one, size: add(size(args, 0), size(args, 1)) })),
  ...rules('list_sum_int list_sum_uint list_sum_double list_sum_duration', listTraversal),
  ...rules('list_index_of list_last_index_of', listTraversal),
  ...['min', 'max', 'is_sorted'].flatMap((name) => rules(perType(`list_${name}_`), listTraversal)),
  ...rules('string_index_of_string string_index_of_string_int', traversal),
  ...rules('string_last_index_of_string string_last_index_of_string_int', traversal),
  ...rules('string_lower_ascii string_upper_ascii string_trim string_reverse', sameSize),
  ...rules('string_substring_int string_substring_int_int', sameSize),
  ...rules('string_replace_string_string string_replace_string_string_int', replacement),
  ...rules('string_split_string string_split_string_int', splitting),
  ...rules('list_join list_join_string', concatenating),
  ...rules('list_sets_contains_list list_sets_intersects_list', (args) => ({
    cost: add(one, multiply(size(args, 0), size(args, 1))),
  })),
  ...rules('list_sets_equivalent_list', (args) => ({
    cost: add(one, scale(multiply(size(args, 0), size(args, 1)), 2)),
  })),
  ...rules('string_to_quantity is_quantity_string string_to_ip is_ip_string string_to_cidr is_cidr_string', traversal),
  ...rules('ip_is_canonical', (args) => ({ cost: scale(size(args, 0), 2 * perCharacter) })),
  ...rules('format_validate', (args) => ({
    cost: multiply(scale(add(size(args, 1), one), perCharacter), namedPattern),
  })),
  ...rules('string_to_semver string_bool_to_semver is_semver_string is_semver_string_bool', traversal),
  ...rules('resourcecheck_fieldselector resourcecheck_labelselector', selecting),
  ...rules('list_reverse', reversal),
  ...rules('lists_range', counting),
  ...rules('list_flatten list_flatten_int', flattening),
  ...rules('list_slice', slicing),
  ...rules('list_distinct', removingDoubles),
  ...rules(perType('list_sort_'), sorting),
  ...rules(perType('list_sort_by_'), sortingBy),
  ...rules('optional_of', (args) => ({ cost: one, size: size(args, 0) })),
]);

/** Estimates the cost of a call, with its arguments. Operators may cost less if they do not evaluate all arguments. */
export function estimateCall(overload: Overload, args: readonly Operand[], costs: readonly Range[]): CallEstimate {
  const [first, second, third] = costs;
  if (overload.id === 'conditional' && first !== undefined && second !== undefined && third !== undefined) {
    return { cost: add(first, union(second, third)), size: union(size(args, 1), size(args, 2)) };
  }
  if ((overload.id === 'logical_and' || overload.id === 'logical_or') && first !== undefined && second !== undefined) {
    return { cost: { min: first.min, max: first.max + second.max } };
  }
  const own = estimates.get(overload.id)?.(args) ?? { cost: one };
  return { ...own, cost: add(own.cost, ...costs) };
}
