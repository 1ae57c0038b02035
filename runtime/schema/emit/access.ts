/** How generated code reads, writes and names the properties of a value. */
import { isInherited, literal, member, pathTemplate, quoted } from './literal.js';
import type { ModuleCode } from './module-code.js';

/** Where generated code stands: the variable that holds the value, and whether that is the whole object. */
export interface Position {
  readonly value: string;
  readonly root: boolean;
}

/** Fields of every object that no schema needs to name; those of the whole object belong to the runtime. */
export const headFields: readonly string[] = ['apiVersion', 'kind', 'metadata'];

export const atRoot: Position = { value: 'object', root: true };
export const inside: Position = { value: 'value', root: false };

/** The path of the value itself, as an expression. */
export function ownPath(at: Position): string {
  return at.root ? `''` : 'path';
}

/** The path of a property, as an expression. */
export function childPath(at: Position, name: string): string {
  return at.root ? quoted(name) : pathTemplate('path', `.${name}`);
}

/** A property's place below the path of its object, as an expression. */
export function childPlace(at: Position, name: string): string {
  return quoted(at.root ? name : `.${name}`);
}

/** A variable's place in a template text. */
const slot = (variable: string): string => `\${${variable}}`;

/** The path of the item whose index is in the variable `i`. */
export const itemPath = `\`${slot('path')}[${slot('i')}]\``;

/** The path of the value in a map whose name is in the variable `key`, as errors about whole values write it. */
export const entryPath = `\`${slot('path')}[${slot('key')}]\``;

/** The path of the property whose name is in the variable `key`. */
export function keyPath(at: Position): string {
  return at.root ? 'key' : `\`${slot('path')}.${slot('key')}\``;
}

/** The place of that property below the path of its object. */
export function keyPlace(at: Position): string {
  return at.root ? 'key' : `\`.${slot('key')}\``;
}

/** Reads a property; one that every object inherits only if it is the object's own. */
export function read(code: ModuleCode, at: Position, name: string): string {
  return isInherited(name) ? `${code.use('getOwn')}(${at.value}, ${quoted(name)})` : member(at.value, name);
}

/** Sets a property; one that every object inherits is of another type to TypeScript, and `__proto__` no property at all. */
export function write(code: ModuleCode, at: Position, name: string, expression: string): string {
  if (isInherited(name)) return `${code.use('setOwn')}(${at.value}, ${literal(name)}, ${expression});`;
  return `${member(at.value, name)} = ${expression};`;
}

/** Removes a property. */
export function remove(at: Position, name: string): string {
  // To TypeScript what every object inherits is no optional property, and only those may be deleted.
  return isInherited(name)
    ? `Reflect.deleteProperty(${at.value}, ${quoted(name)});`
    : `delete ${member(at.value, name)};`;
}

/** A set of names as an expression. */
export function nameSet(names: readonly string[]): string {
  return `new Set([${names.map(quoted).join(', ')}])`;
}

/** Lines one step further in. */
export function indent(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
