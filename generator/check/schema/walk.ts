/** Walks a schema and asks the rules about each node. */
import type { Schema } from '../../../runtime/contract/index.js';
import { getOwn } from '../../../runtime/objects/guards.js';
import { get, isObject, list, type Raw } from '../../../runtime/schema/read.js';
import { junctorLists, type Level, type SchemaPath } from '../../../runtime/schema/structural/index.js';
import type { Report } from '../../diagnostics/problem.js';
import { below, type NodeRule, type SchemaNode, sayAt } from './schema-node.js';

export interface WalkOptions {
  readonly isNative: boolean;
  readonly rules: readonly NodeRule[];
  /** The rules that also apply below `allOf` and similar keywords. */
  readonly valueRules: readonly NodeRule[];
  readonly report: Report;
}

/**
 * Visits a node and all nodes below it. Does not follow references: their types are visited in their own library. Skips
 * nodes that are not mappings, because the format check has refused them.
 */
export function walkSchema(raw: Raw, schema: Schema, place: SchemaPath, level: Level, options: WalkOptions): void {
  const visit = (raw: Raw, schema: Schema, place: SchemaPath, to: Level, name: string, parent?: SchemaNode): void => {
    if (!isObject(raw)) return;
    const level = parent?.level === 'rule' ? 'rule' : to;
    const node: SchemaNode = { raw, schema, place, level, isNative: options.isNative, parent, name };
    const say = sayAt(place, options.report);
    for (const rule of level === 'rule' ? options.valueRules : options.rules) rule(node, say, options.report);
    const properties = get(raw, 'properties');
    if (isObject(properties)) {
      for (const [name, child] of Object.entries(properties)) {
        visit(
          child,
          getOwn(schema.properties ?? {}, name) ?? {},
          below(place, 'properties', name),
          'field',
          name,
          node,
        );
      }
    }
    visit(get(raw, 'items'), schema.items ?? {}, below(place, 'items'), 'item', '', node);
    for (const key of junctorLists) {
      list(get(raw, key)).forEach((each, index) => {
        visit(each, schema[key]?.[index] ?? {}, below(place, key, index), 'rule', '', node);
      });
    }
    visit(get(raw, 'not'), schema.not ?? {}, below(place, 'not'), 'rule', '', node);
    const values = schema.additionalProperties;
    const valueSchema = typeof values === 'object' ? values : {};
    visit(get(raw, 'additionalProperties'), valueSchema, below(place, 'additionalProperties'), 'value', '', node);
  };
  visit(raw, schema, place, level, '');
}
