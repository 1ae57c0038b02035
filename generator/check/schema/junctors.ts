/** Rules on allOf, anyOf, oneOf and not: they may narrow what a schema says, and say nothing of their own. */
import type { JsonObject, Schema } from '../../../runtime/contract/index.js';
import { isTypeChoice, junctorKeys, junctorLists } from '../../../runtime/schema/structural/index.js';
import type { Report } from '../../diagnostics/problem.js';
import { get, isObject, list, type Raw, written } from '../../model/read.js';
import { checkBounds, checkEnum, checkPattern } from './keywords.js';
import { below, type NodeRule, type Place, type Say, type SchemaNode, sayAt } from './schema-node.js';
import { isObjectRoot } from './types.js';

/** Keys that say what a value is rather than which values are meant. */
const FORBIDDEN: ReadonlySet<string> = new Set(['$ref', ...junctorKeys]);

/** Rules on values, checked as on the field itself. */
const VALUE_RULES: readonly NodeRule[] = [checkPattern, checkEnum, checkBounds];

/** One rule below a junctor: as written, and what the schema outside of it knows of the same value. */
interface Nested {
  readonly raw: Raw;
  /** The rule itself. */
  readonly rule: Schema;
  /** Absent where the schema does not know the value, which has been reported then. */
  readonly known: Schema | undefined;
  readonly place: Place;
  /** Whether it may name the two types of an integer or string. */
  readonly mayNameTypes: boolean;
}

/** Checks what stands below the junctors of a node. */
export function checkJunctors(node: SchemaNode, _say: Say, report: Report): void {
  const mayNameTypes = node.schema['x-kubernetes-int-or-string'] === true;
  const { raw, schema, place } = node;
  checkBelow({ raw, rule: schema, known: schema, place, mayNameTypes }, node, report);
}

function checkBelow({ raw, rule, known, place, mayNameTypes }: Nested, node: SchemaNode, report: Report): void {
  for (const key of junctorLists) {
    const rules = list(get(raw, key));
    if (key === 'anyOf' && mayNameTypes && isObject(raw) && isTypeChoice(raw)) continue;
    rules.forEach((each, index) => {
      const isFirst = mayNameTypes && key === 'allOf' && index === 0;
      const nested = { raw: each, rule: rule[key]?.[index] ?? {}, known, place: below(place, key, index) };
      checkNested({ ...nested, mayNameTypes: isFirst }, node, report);
    });
  }
  const not = { raw: get(raw, 'not'), rule: rule.not ?? {}, known, place: below(place, 'not'), mayNameTypes: false };
  checkNested(not, node, report);
}

function checkNested(nested: Nested, node: SchemaNode, report: Report): void {
  const { raw, rule, place } = nested;
  if (!isObject(raw)) return;
  const say = sayAt(place, report);
  for (const [key] of written(raw)) {
    if (!FORBIDDEN.has(key) || isHarmless(raw, key)) continue;
    const message = `\`${key}\` may not stand below allOf, anyOf, oneOf or not`;
    say('KF3008', key, message, 'write it on the field itself');
  }
  for (const check of VALUE_RULES) check({ ...node, raw, schema: rule, place }, say, report);
  checkFields(nested, node, report);
  checkBelow(nested, node, report);
}

/** Whether a key has a value that says nothing. */
function isHarmless(raw: JsonObject, key: string): boolean {
  const value = raw[key];
  return value === false || value === '' || (Array.isArray(value) && value.length === 0);
}

/** The schema outside of a rule has every field that the rule restricts. */
function checkFields({ raw, rule, known, place }: Nested, node: SchemaNode, report: Report): void {
  const properties = get(raw, 'properties');
  for (const [name, child] of Object.entries(isObject(properties) ? properties : {})) {
    const field = known === undefined ? undefined : fieldOf(known, name);
    if (known === node.schema && name === 'metadata' && isObjectRoot(node)) {
      sayAt(place, report)('KF3010', ['properties', name], 'a rule cannot restrict `metadata`');
    } else if (known !== undefined && field === undefined)
      missing(place, ['properties', name], `field \`${name}\``, report);
    const nested = {
      raw: child,
      rule: rule.properties?.[name] ?? {},
      known: field,
      place: below(place, 'properties', name),
    };
    checkNested({ ...nested, mayNameTypes: false }, node, report);
  }
  const items = get(raw, 'items');
  if (!isObject(items)) return;
  if (known !== undefined && known.items === undefined) missing(place, ['items'], '`items`', report);
  const nested = { raw: items, rule: rule.items ?? {}, known: known?.items, place: below(place, 'items') };
  checkNested({ ...nested, mayNameTypes: false }, node, report);
}

function missing(place: Place, steps: readonly string[], what: string, report: Report): void {
  const suggestion = 'write it in the schema outside of the rule as well';
  sayAt(place, report)('KF3009', steps, `only this rule knows ${what}`, suggestion);
}

function fieldOf({ properties, additionalProperties }: Schema, name: string): Schema | undefined {
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}
