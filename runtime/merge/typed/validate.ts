/** Checks that a configuration fits its type well enough to merge it. */
import type { JsonObject, JsonValue } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import { fieldElement, type PathElement, printElement, printPath } from '../path-element.js';
import { DEDUCED, type ListPlan, type MapPlan, type ScalarKind, type TypePlan, UNTYPED_ATOMIC } from '../type-plan.js';
import { itemElement } from './list-items.js';

/** The most reported problems. */
const MAX_PROBLEMS = 100;

/**
 * Returns the problems, each as a text with its path: wrong JSON types, members that the schema does not have, and
 * items that cannot be identified. Does not check values. Null fits everywhere.
 */
export function findTypeProblems(type: TypePlan, value: JsonValue): readonly string[] {
  const check = new Check();
  check.value(type, value);
  return check.problems;
}

class Check {
  readonly problems: string[] = [];
  /** The names of members and the steps to items. Only a report joins them. */
  private readonly path: { readonly name?: string; readonly item?: PathElement }[] = [];

  value(type: TypePlan, value: JsonValue): void {
    if (value === null || this.problems.length >= MAX_PROBLEMS) return;
    // Any value of any depth fits these. Elsewhere a schema limits the depth of the recursion.
    if (type === DEDUCED || type === UNTYPED_ATOMIC) return;
    if (isObject(value) && type.map !== undefined) this.members(type.map, value);
    else if (Array.isArray(value) && type.list !== undefined) this.items(type.list, value);
    else if (typeof value === 'object' || type.scalar === undefined)
      this.report(`expected ${wanted(type)}, got ${kindOf(value)}`);
    else if (!fitsScalar(type.scalar, value))
      this.report(`expected ${SCALAR_NAMES[type.scalar]}, got ${kindOf(value)}`);
  }

  private members(map: MapPlan, value: JsonObject): void {
    for (const key of Object.keys(value)) {
      const member = value[key];
      if (member === undefined) continue;
      const type = map.fields.get(key)?.type ?? map.values;
      if (type?.scalar !== undefined && fitsScalar(type.scalar, member)) continue;
      this.path.push({ name: key });
      if (type === undefined) this.report('field not declared in schema');
      else this.value(type, member);
      this.path.pop();
    }
  }

  private items(list: ListPlan, items: readonly JsonValue[]): void {
    const seen = new Set<PathElement>();
    for (const [position, item] of items.entries()) {
      const element = list.relation === 'atomic' ? `i:${position}` : itemElement(list, item);
      if (typeof element !== 'string') this.report(`element ${position}: ${element.problem}`);
      else if (seen.has(element)) this.report(`duplicate entries for key ${printElement(element)}`);
      else {
        seen.add(element);
        this.path.push({ item: element });
        this.value(list.items, item);
        this.path.pop();
      }
    }
  }

  private report(problem: string): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    const path = this.path.map(({ name = '', item = fieldElement(name) }) => item);
    this.problems.push(path.length === 0 ? problem : `${printPath(path)}: ${problem}`);
  }
}

const SCALAR_NAMES: Readonly<Record<ScalarKind, string>> = {
  string: 'string',
  numeric: 'numeric (int or float)',
  boolean: 'boolean',
  untyped: 'any scalar',
};

function fitsScalar(scalar: ScalarKind, value: JsonValue): boolean {
  if (scalar === 'untyped') return typeof value !== 'object';
  return scalar === 'numeric' ? typeof value === 'number' || typeof value === 'bigint' : typeof value === scalar;
}

function wanted(type: TypePlan): string {
  if (type.map !== undefined) return 'map';
  return type.scalar !== undefined ? SCALAR_NAMES[type.scalar] : 'list';
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'map';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
