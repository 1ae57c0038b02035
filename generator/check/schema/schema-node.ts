/** One node of a schema for the rules: as written, as resolved, and its place. */
import type { JsonObject, Schema } from '../../../runtime/contract/index.js';
import { get, type Raw } from '../../../runtime/schema/read.js';
import { type Level, pathOf, type SchemaPath } from '../../../runtime/schema/structural/index.js';
import type { Code } from '../../diagnostics/codes.js';
import type { Path, Report, Suggestion } from '../../diagnostics/problem.js';

export interface SchemaNode {
  /** As written. */
  readonly raw: JsonObject;
  /** With its references resolved. */
  readonly schema: Schema;
  readonly place: SchemaPath;
  readonly level: Level;
  readonly isNative: boolean;
  /** The node above; absent for the root. */
  readonly parent: SchemaNode | undefined;
  /** Name of the property; empty if the node is not a property. */
  readonly name: string;
}

/** Reports a problem with a key of a node, or with the node itself if the key is empty. */
export type Say = (...said: Said) => void;

export type Said = readonly [code: Code, key: string | Path, message: string, suggestion?: Suggestion | undefined];

/** Checks one node, and reports its mistakes; `report` is for problems at other places. */
export type NodeRule = (node: SchemaNode, say: Say, report: Report) => void;

/** Returns the place below another. */
export function below(above: SchemaPath | undefined, ...steps: Path): SchemaPath {
  return { above, steps };
}

/** Returns whether the node itself has a key, not only the type that it refers to. */
export function writes(node: SchemaNode, key: string): boolean {
  const value = get(node.raw, key);
  return value !== undefined && value !== null;
}

/** Returns the value of a key in the node itself. */
export function written(node: SchemaNode, key: string): Raw {
  return get(node.raw, key);
}

/** Reports problems at a place. */
export function sayAt(place: SchemaPath, report: Report): Say {
  return (code, key, message, suggestion) => {
    const steps = typeof key === 'string' ? (key === '' ? [] : [key]) : key;
    const path = [...pathOf(place), ...steps];
    report({ code, path, at: 'key', message, ...(suggestion === undefined ? {} : { suggestion }) });
  };
}
