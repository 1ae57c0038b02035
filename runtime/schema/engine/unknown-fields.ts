/** Removal of fields that a schema does not know. */
import type { JsonObject } from '../../contract/index.js';
import { isObject } from '../../objects/guards.js';
import { byCodePoint } from '../../objects/printing.js';
import type { Value } from './value.js';

/** The most paths one object is reported with, and the most characters they may have together. */
const maxPaths = 1000;
const maxCharacters = 1024 * 1024;

/** Returns the path of a property; at the root, only the name. */
export function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Removes unknown fields and remembers their paths, up to a bound; beyond it fields are still removed. */
export class UnknownFields {
  private readonly paths: string[] = [];
  private characters = 0;

  /** Removes one field. */
  drop(object: JsonObject, name: string, path: string): void {
    delete object[name];
    if (this.paths.length >= maxPaths || this.characters >= maxCharacters) return;
    const full = below(path, name);
    this.characters += full.length;
    this.paths.push(full);
  }

  /** Reports every path, in alphabetical order where `sorted`, else in the order of the walk. */
  reportTo(report: (path: string) => void, sorted: boolean): void {
    if (sorted) this.paths.sort(byCodePoint);
    for (const path of this.paths) report(path);
  }
}

/** A value that may have fields, and its path. */
type OpenValue = readonly [value: Value, path: string];

/** Opens the items of a list that are not scalars. */
function openItems(list: readonly Value[], path: string, open: OpenValue[]): void {
  for (const [i, item] of list.entries()) if (typeof item === 'object') open.push([item, `${path}[${i}]`]);
}

/**
 * Empties every object in a value that should be a scalar or a list of scalars: nothing in it is known. Lists in
 * lists are walked without recursion, however deep they are.
 */
export function dropContents(value: Value, path: string, unknown: UnknownFields): void {
  if (typeof value !== 'object' || value === null) return;
  const open: OpenValue[] = [[value, path]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [found, at] = next;
    if (isObject(found)) for (const name of Object.keys(found)) unknown.drop(found, name, at);
    else if (Array.isArray(found)) openItems(found, at, open);
  }
}
