/** Reads the problems that a server or a check finds in an object, each with its field. */
import { ApiError, SchemaError } from 'kindforge/client';
import { memberOf, type Place } from './place.js';

/** A problem at a place of an object, from the server or a check. */
export interface FieldProblem {
  /**
   * The field, as in the causes of a Status: `spec.ports[0].name`, `metadata.labels[a.b/c]`; empty for the object
   * itself.
   */
  readonly path: string;
  readonly message: string;
  /** Default: `error`. */
  readonly severity?: 'error' | 'warning';
}

/**
 * Returns the problems in an error: the causes of a Status, the fields that a strict decoder refuses, or the findings
 * of a schema check. An error without fields is one problem of the whole object.
 */
export function problemsOf(error: unknown): FieldProblem[] {
  if (error instanceof SchemaError) return error.findings.map(({ path, message }) => ({ path, message }));
  if (!(error instanceof ApiError))
    return [{ path: '', message: error instanceof Error ? error.message : String(error) }];
  const causes = (error.status.details?.causes ?? []).map(({ field = '', message = '', reason = '' }) => ({
    path: field === '<nil>' ? '' : field,
    message: message || reason,
  }));
  const found = causes.length > 0 ? causes : refusedFields(error.message);
  return found.length > 0 ? found : [{ path: '', message: error.message }];
}

/** Returns a warning of the server as a problem. Its field is the one that the text begins with or names as unknown. */
export function warningProblem(text: string): FieldProblem {
  const [refused] = refusedFields(text);
  const path = refused?.path ?? /^((?:metadata|spec|data|status)[\w.[\]/-]*):\s/.exec(text)?.[1] ?? '';
  return { path, message: refused?.message ?? text, severity: 'warning' };
}

/** Reads `unknown field "spec.a"` and `duplicate field "spec.b"` in the message of a strict decoder. */
const refusedFields = (message: string): FieldProblem[] =>
  [...message.matchAll(/\b(unknown|duplicate) field "((?:[^"\\]|\\.)*)"/g)].map(([, how, path = '']) => ({
    path,
    message: `${how} field`,
  }));

/**
 * Returns the place of a path in a value. The value decides about names with dots, and about brackets: `data[0]` is an
 * item if the value has a list there, and a key if it has a map.
 */
export function placeIn(path: string, value: unknown): Place {
  const place: (string | number)[] = [];
  let at = value;
  for (let rest = path; rest !== ''; ) {
    const [step, length] = nextStep(rest, at);
    place.push(step);
    at = memberOf(at, step);
    rest = rest.slice(length);
    if (rest.startsWith('.')) rest = rest.slice(1);
  }
  return place;
}

/** Returns the first step of a path, and its length in characters. */
function nextStep(rest: string, at: unknown): readonly [step: string | number, length: number] {
  const isBracket = rest.startsWith('[');
  const own = typeof at === 'object' && at !== null && !Array.isArray(at) ? Object.keys(at) : [];
  const fits = own
    .map((key) => [key, isBracket ? `[${key}]` : key] as const)
    .filter(([, text]) => text !== '' && rest.startsWith(text) && /^(?:$|[.[])/.test(rest.slice(text.length)))
    .sort(([, a], [, b]) => b.length - a.length)[0];
  if (fits) return [fits[0], fits[1].length];
  if (!isBracket) {
    const name = /^[^.[]+/.exec(rest)?.[0] ?? rest;
    return [name, name.length];
  }
  const end = rest.indexOf(']');
  const inner = rest.slice(1, end < 0 ? undefined : end);
  const length = end < 0 ? rest.length : end + 1;
  return [/^\d+$/.test(inner) && own.length === 0 ? Number(inner) : unquoted(inner), length];
}

const unquoted = (text: string): string => (/^".*"$/.test(text) ? text.slice(1, -1) : text);
