/** Values, texts and property accesses as source text. */
import type { JsonValue } from '../../contract/index.js';

/** A text in single quotes. */
export function quoted(text: string): string {
  const inner = JSON.stringify(text).slice(1, -1);
  return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`;
}

/** A template text of a variable path and a fixed end: `${path}.name`. */
export function pathTemplate(path: string, end: string): string {
  const escaped = JSON.stringify(end)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll('`', '\\`')
    .replaceAll('${', '\\${');
  return `\`\${${path}}${escaped}\``;
}

/** A value as an expression that makes a new one at each evaluation; `text` prints the texts in it. */
export function literal(value: JsonValue, text: (value: string) => string = quoted): string {
  if (typeof value === 'string') return text(value);
  if (typeof value === 'bigint') return `${value}n`;
  if (Object.is(value, -0)) return '-0';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, text)).join(', ')}]`;
  const entries = Object.entries(value).flatMap(([key, item]) =>
    item === undefined ? [] : [`${propertyName(key)}: ${literal(item, text)}`],
  );
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

/** A key of an object literal. `__proto__` is computed, or it would set the prototype. */
function propertyName(key: string): string {
  if (key === '__proto__') return `['__proto__']`;
  return isIdentifier(key) ? key : quoted(key);
}

function isIdentifier(text: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(text);
}

/** Whether every object inherits something of this name, so that reading it needs care. */
export function isInherited(name: string): boolean {
  return name in Object.prototype;
}

/** A property of a decoded object. The form in brackets also passes under `noPropertyAccessFromIndexSignature`. */
export function member(object: string, name: string): string {
  return `${object}[${quoted(name)}]`;
}
