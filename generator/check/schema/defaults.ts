/** The rule on defaults: the schema itself must accept them as they are, and so must its validation rules. */
import { compileRuleTree, laterEnvironment, validateRules } from '../../../runtime/cel/index.js';
import type { FieldError, JsonObject, JsonValue, Schema } from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { compileSchema, instantiate } from '../../../runtime/schema/index.js';
import type { Report } from '../../diagnostics/problem.js';
import { complain, type NodeRule, type SchemaNode, writes } from './schema-node.js';

/** Keywords that can refuse a scalar of the right type. */
const NARROWING = [
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'multipleOf',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'format',
  'x-kubernetes-validations',
] as const;

/** Notes the defaults of a schema as it is walked, to check them all at its end. */
export interface DefaultCheck {
  readonly rule: NodeRule;
  readonly finish: (report: Report) => void;
}

/**
 * A check of the defaults of one schema: they have no unknown fields and are valid as they are written, without the
 * defaults within them. All are put into one object, whose schema is compiled once.
 */
export function createDefaultCheck(): DefaultCheck {
  const nodes: SchemaNode[] = [];
  return {
    rule: (node) => {
      const { schema } = node;
      if (schema.default === undefined || node.level === 'root' || !writes(node, 'default')) return;
      // Servers let the default of an integer or string be anything.
      if (schema['x-kubernetes-int-or-string'] === true && !node.isNative) return;
      if (!isPlainlyRight(schema, schema.default)) nodes.push(node);
    },
    finish: (report) => {
      if (nodes.length > 0) checkAll(nodes, report);
    },
  };
}

/** Most defaults are scalars that nothing but their type restricts; compiling a schema for those would be a waste. */
function isPlainlyRight(schema: Schema, value: JsonValue): boolean {
  if (typeof value !== schema.type || typeof value === 'object') return false;
  return NARROWING.every((key) => schema[key] === undefined);
}

function checkAll(nodes: readonly SchemaNode[], report: Report): void {
  const properties: Record<string, Schema> = {};
  const object: JsonObject = {};
  nodes.forEach(({ schema: { default: value, ...rest } }, index) => {
    properties[holder(index)] = rest;
    object[holder(index)] = value === undefined ? undefined : clone(value);
  });
  const { text } = compileSchema({ type: 'object', properties }, { decoding: 'structural' });
  const functions = instantiate(text);
  functions.prune(object, (path) => say(nodes, path, `there is no field \`${within(path)}\``, report));
  const errors: FieldError[] = [];
  functions.validate(object, errors);
  // Rules make sense of values only that are what the schema asks for.
  const wrong = new Set(errors.map(({ field }) => indexIn(field)));
  const broken = brokenRules({ type: 'object', properties }, object);
  errors.push(...broken.filter(({ field }) => !wrong.has(indexIn(field))));
  for (const { field, message } of errors) {
    say(nodes, field, [within(field), plain(message)].filter((part) => part !== '').join(': '), report);
  }
}

/** What validation rules refuse; those that cannot be compiled are reported where they stand. */
function brokenRules(schema: Schema, object: JsonObject): FieldError[] {
  const rules = compileRuleTree(schema, laterEnvironment, { isResource: false, plainKeywords: true });
  const errors: FieldError[] = [];
  if (rules !== undefined) validateRules(rules, object, undefined, errors);
  return errors
    .map((error) => ({ ...error, message: error.message.replace(/^Invalid value: "[a-z]*": /, '') }))
    .filter(({ message }) => !message.startsWith('rule compile error: '));
}

/** Property of the common object that a default is put in. */
function holder(index: number): string {
  return `default${index}`;
}

/** Which default a path of the common object leads into. */
function indexIn(path: string): number {
  return Number(/^default(\d+)/.exec(path)?.[1]);
}

/** A path without the property of the common object. */
function within(path: string): string {
  return path.replace(/^default\d+\.?/, '');
}

/** The words of a server without its repetition of the path and the type. */
function plain(message: string): string {
  const last = message.lastIndexOf(' in body ');
  return last < 0 ? message : `it ${message.slice(last + ' in body '.length)}`;
}

function say(nodes: readonly SchemaNode[], path: string, problem: string, report: Report): void {
  const node = nodes[indexIn(path)];
  if (node === undefined) return;
  const value = node.schema.default;
  const isScalar = typeof value === 'number' || typeof value === 'boolean';
  const suggestion = node.schema.type === 'string' && isScalar ? `write it in quotes: "${value}"` : undefined;
  complain(report, 'KF4001', node, 'default', `the default is not valid: ${problem}`, suggestion);
}
