/** Prints diagnostics for people and for editors that understand `file:line:column`. */
import type { Diagnostic } from './diagnostic.js';

/** Prints `file:line:column code message`, with a mark on warnings, and the suggestion on an indented line below. */
export function printDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, code, severity, message, suggestion } = diagnostic;
  const mark = severity === 'warning' ? 'warning: ' : '';
  const first = `${file}:${line}:${column} ${code} ${mark}${oneLine(message)}`;
  return suggestion === undefined ? first : `${first}\n    ${oneLine(suggestion)}`;
}

/** Returns whether an error makes the definitions unusable. */
export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((each) => each.severity === 'error');
}

/** Returns the number of errors and warnings, as in `2 errors, 1 warning`; empty if there are none. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((each) => each.severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const parts = [errors === 0 ? '' : plural(errors, 'error'), warnings === 0 ? '' : plural(warnings, 'warning')];
  return parts.filter((part) => part !== '').join(', ');
}

/** Returns a number with its noun, as in `1 file`, `2 files`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Escapes text from definitions, so that it cannot break a line or control a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    const escaped: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };
    return escaped[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
