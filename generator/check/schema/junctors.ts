/** Rules on allOf, anyOf, oneOf and not: they may narrow what a schema says, and say nothing of their own. */
import type { JsonObject, Schema } from '../../../runtime/contract/index.js';
import type { Report } from '../../diagnostics/problem.js';
import { get, isObject, list, type Raw, written } from '../../model/read.js';
import { below, complain, type Place, type SchemaNode } from './schema-node.js';

const LISTS = ['allOf', 'anyOf', 'oneOf'] as const;

/** Keys that say what a value is rather than which values are meant. */
const FORBIDDEN = new Set([
  '$ref',
  'type',
  'title',
  'description',
  'default',
  'nullable',
  'additionalProperties',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-int-or-string',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
]);

/** Checks what stands below the junctors of a node. */
export function checkJunctors(node: SchemaNode, report: Report): void {
  const isIntOrString = node.schema['x-kubernetes-int-or-string'] === true;
  checkBelow(node.raw, node.schema, node.place, isIntOrString, report);
}

function checkBelow(raw: JsonObject, schema: Schema | undefined, place: Place, mayName: boolean, report: Report): void {
  for (const key of LISTS) {
    const rules = list(get(raw, key));
    if (key === 'anyOf' && mayName && isTypeChoice(rules)) continue;
    rules.forEach((each, index) => {
      checkNested(each, schema, below(place, key, index), mayName && key === 'allOf' && index === 0, report);
    });
  }
  checkNested(get(raw, 'not'), schema, below(place, 'not'), false, report);
}

/** The usual way to say that an integer or string is one of the two: `anyOf`, also within the first of `allOf`. */
function isTypeChoice(rules: readonly Raw[]): boolean {
  const types = rules.map((each) => (isObject(each) && Object.keys(each).length === 1 ? get(each, 'type') : undefined));
  return types.length === 2 && types[0] === 'integer' && types[1] === 'string';
}

function checkNested(raw: Raw, schema: Schema | undefined, place: Place, mayName: boolean, report: Report): void {
  if (!isObject(raw)) return;
  for (const [key] of written(raw)) {
    if (!FORBIDDEN.has(key) || isHarmless(raw, key)) continue;
    complain(
      report,
      'KF3008',
      { place },
      key,
      `\`${key}\` may not stand below allOf, anyOf, oneOf or not`,
      `write it on the field itself`,
    );
  }
  checkFields(raw, schema, place, report);
  checkBelow(raw, schema, place, mayName, report);
}

/** What is written but says nothing. */
function isHarmless(raw: JsonObject, key: string): boolean {
  const value = raw[key];
  return value === false || value === '' || (Array.isArray(value) && value.length === 0);
}

/** What a rule says of a field, the schema must know. */
function checkFields(raw: JsonObject, schema: Schema | undefined, place: Place, report: Report): void {
  const properties = get(raw, 'properties');
  const values = schema?.additionalProperties;
  if (isObject(properties)) {
    for (const [name, child] of Object.entries(properties)) {
      const known = own(schema?.properties, name) ?? (typeof values === 'object' ? values : undefined);
      if (known === undefined && schema !== undefined)
        missing(place, ['properties', name], `field \`${name}\``, report);
      checkNested(child, known, below(place, 'properties', name), false, report);
    }
  }
  if (!isObject(get(raw, 'items'))) return;
  if (schema !== undefined && schema.items === undefined) missing(place, ['items'], '`items`', report);
  checkNested(get(raw, 'items'), schema?.items, below(place, 'items'), false, report);
}

function missing(place: Place, steps: readonly string[], what: string, report: Report): void {
  complain(
    report,
    'KF3009',
    { place },
    steps,
    `only this rule knows ${what}`,
    'write it in the schema outside of the rule as well',
  );
}

function own(properties: Schema['properties'], name: string): Schema | undefined {
  return properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined;
}
