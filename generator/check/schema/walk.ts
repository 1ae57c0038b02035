/** Walks the structural part of a schema and asks every rule about each node. */
import type { Schema } from '../../../runtime/contract/index.js';
import type { Report } from '../../diagnostics/problem.js';
import { get, isObject, type Raw } from '../../model/read.js';
import { below, type Level, type NodeRule, type Place, type SchemaNode, sayAt } from './schema-node.js';

export interface WalkOptions {
  readonly isNative: boolean;
  readonly rules: readonly NodeRule[];
  readonly report: Report;
}

/**
 * Visits a node and all nodes below it. References are not followed: the types they lead to are visited in their own
 * library. Nodes that are not mappings are left out, since the format has refused them.
 */
export function walkSchema(raw: Raw, schema: Schema, place: Place, level: Level, options: WalkOptions): void {
  const visit = (raw: Raw, schema: Schema, place: Place, level: Level, name: string, parent?: SchemaNode): void => {
    if (!isObject(raw)) return;
    const node: SchemaNode = { raw, schema, place, level, isNative: options.isNative, parent, name };
    const say = sayAt(place, options.report);
    for (const rule of options.rules) rule(node, say, options.report);
    const properties = get(raw, 'properties');
    if (isObject(properties)) {
      for (const [name, child] of Object.entries(properties)) {
        visit(child, schema.properties?.[name] ?? {}, below(place, 'properties', name), 'field', name, node);
      }
    }
    visit(get(raw, 'items'), schema.items ?? {}, below(place, 'items'), 'item', '', node);
    const values = schema.additionalProperties;
    const valueSchema = typeof values === 'object' ? values : {};
    visit(get(raw, 'additionalProperties'), valueSchema, below(place, 'additionalProperties'), 'value', '', node);
  };
  visit(raw, schema, place, level, '');
}
