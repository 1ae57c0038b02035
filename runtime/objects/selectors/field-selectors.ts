/**
 * Field selectors: turns their text (`metadata.name=a,spec.x!=b`) into a function that matches the field values of an
 * entry.
 */
import type { Attributes, Failure, Result } from '../../contract/index.js';
import { badRequest } from '../failures.js';
import { byCodePoint, quote } from '../printing.js';

/** One comparison of a field. */
export interface FieldTerm {
  /** A path such as `metadata.name`. */
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A compiled selector. An absent field counts as the empty string. */
export interface FieldSelector {
  readonly terms: readonly FieldTerm[];
  /** Whether it selects everything, so that callers need not match anything. */
  readonly everything: boolean;
  readonly matches: (fields: Attributes['fields']) => boolean;
}

/** Selects all objects. */
export const everyField: FieldSelector = { terms: [], everything: true, matches: () => true };

/** Reads a selector. Checks terms in alphabetical order, so it reports the first problem in that order. */
export function parseFieldSelector(text: string): Result<FieldSelector> {
  const terms: FieldTerm[] = [];
  for (const part of splitTerms(text).sort(byCodePoint)) {
    if (part === '') continue;
    const split = splitTerm(part);
    if (split === undefined) return refuse(`invalid selector: '${text}'; can't understand '${part}'`);
    const value = unescapeValue(split.value);
    if (!value.ok) return value;
    terms.push({ ...split, value: value.value });
  }
  return { ok: true, value: compileFields(terms) };
}

/** Compiles terms; all must hold. */
export function compileFields(terms: readonly FieldTerm[]): FieldSelector {
  if (terms.length === 0) return everyField;
  const matches = (fields: Attributes['fields']): boolean => {
    for (const { field, operator, value } of terms) {
      const actual = Object.hasOwn(fields, field) ? fields[field] : '';
      if ((actual === value) !== (operator === '=')) return false;
    }
    return true;
  };
  return { terms, everything: false, matches };
}

/** Returns the only value that a selector allows for a field, if any. With it, a list by name becomes a get. */
export function exactValue(selector: FieldSelector, field: string): string | undefined {
  return selector.terms.find((term) => term.field === field && term.operator === '=')?.value;
}

/** Splits at commas that no backslash escapes. */
export function splitTerms(text: string): string[] {
  if (text === '') return [];
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === '\\') i++;
    else if (char === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

/** Splits a term at its first operator. Returns `undefined` if it has none. The value is still escaped. */
export function splitTerm(term: string): FieldTerm | undefined {
  const match = /(!=|==|=)/.exec(term);
  if (match === null) return undefined;
  const field = term.slice(0, match.index);
  const value = term.slice(match.index + match[0].length);
  return { field, operator: match[0] === '!=' ? '!=' : '=', value };
}

/** Removes the escapes from a value; only `\\`, `\,` and `\=` are valid. */
export function unescapeValue(text: string): Result<string> {
  let value = '';
  for (let i = 0; i < text.length; i++) {
    const char = text.charAt(i);
    if (char === ',' || char === '=') {
      return refuse(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`);
    }
    if (char !== '\\') value += char;
    else {
      const escaped = text.slice(i + 1, i + 2);
      if (!['\\', ',', '='].includes(escaped))
        return refuse(`invalid field selector: invalid escape sequence: \\${[...text.slice(i + 1)][0] ?? ''}`);
      value += escaped;
      i++;
    }
  }
  return { ok: true, value };
}

/** Returns the failure for an unknown field of a resource that only knows name and namespace. */
export function unknownField(field: string): Failure {
  return badRequest(`${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

/** Returns the same failure for resources with selectable fields of their own. */
export function unsupportedField(field: string): Failure {
  return badRequest(`field label not supported: ${field}`);
}

function refuse(message: string): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: badRequest(message) };
}
