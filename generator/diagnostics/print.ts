/** Prints diagnostics for people and for editors that understand `file:line:column`. */
import type { Diagnostic } from '../model.js';

/** `file:line:column code message`, warnings marked as such, and the suggestion on an indented line of its own. */
export function printDiagnostic(diagnostic: Diagnostic): string {
  const { file, line, column, code, severity, message, suggestion } = diagnostic;
  const mark = severity === 'warning' ? 'warning: ' : '';
  const first = `${file}:${line}:${column} ${code} ${mark}${oneLine(message)}`;
  return suggestion === undefined ? first : `${first}\n    ${oneLine(suggestion)}`;
}

/** How many errors and warnings there are, as in `2 errors, 1 warning`; empty for none. */
export function countDiagnostics(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter((each) => each.severity === 'error').length;
  return [plural(errors, 'error'), plural(diagnostics.length - errors, 'warning')]
    .filter((each) => each !== '')
    .join(', ');
}

function plural(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** What definitions contain must not break a line or control a terminal. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, (character) => {
    const escaped: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r' };
    return escaped[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
