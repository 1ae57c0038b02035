/** Paths inside volumes, driver names, and references to objects. */
import type { KeyToPath, TypedLocalObjectReference } from '../../generated/types/core/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { pathSegment } from '../../runtime/objects/names/names.js';
import { checkRequired, checkText, type FieldErrors } from './field-checks.js';

/** Returns whether a path contains `..`. */
export const hasBackstep = (path: string): boolean => path.split('/').includes('..');

/** Checks that a path does not contain `..`. */
export function* checkNoBacksteps(at: string, path: string): FieldErrors {
  if (hasBackstep(path)) yield invalidValue(at, path, "must not contain '..'");
}

/** Checks that a path is relative and does not contain `..`. */
export function* checkDescendingPath(at: string, path: string): FieldErrors {
  if (path.startsWith('/')) yield invalidValue(at, path, 'must be a relative path');
  yield* checkNoBacksteps(at, path);
}

/** Checks the path of a file in a volume. Names of the volume's own files begin with two dots. */
export function* checkFilePath(at: string, path: string): FieldErrors {
  yield* checkDescendingPath(at, path);
  if (path.startsWith('..') && !path.startsWith('../')) yield invalidValue(at, path, "must not start with '..'");
}

const maxFileMode = 0o777;

/** Checks the optional permissions of a file. */
export function* checkMode(mode: number | undefined, path: string): FieldErrors {
  if (mode === undefined || (mode >= 0 && mode <= maxFileMode)) return;
  yield invalidValue(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

/** Checks a key of a config map or secret, and the file that it becomes. */
export function* checkKeyToPath(item: Draft<KeyToPath>, path: string): FieldErrors {
  yield* checkRequired(item.key, `${path}.key`);
  yield* checkRequired(item.path, `${path}.path`);
  yield* checkFilePath(`${path}.path`, item.path ?? '');
  yield* checkMode(item.mode, `${path}.mode`);
}

const maxLength = 63;

/** A driver name is a DNS subdomain in either case, with at most 63 characters. */
export function* checkDriverName(name: string, path: string): FieldErrors {
  if (name === '') yield required(path);
  if (name.length > maxLength) yield tooLong(path, maxLength);
  for (const problem of dns1123Subdomain(name.toLowerCase())) yield invalidValue(path, name, problem);
}

/** Checks a reference by kind, name and optional group. */
export function* checkLocalReference(reference: Draft<TypedLocalObjectReference>, path: string): FieldErrors {
  const { apiGroup, kind = '', name = '' } = reference;
  if (typeof apiGroup === 'string') yield* checkText(`${path}.apiGroup`, apiGroup, dns1123Subdomain);
  for (const [field, text] of Object.entries({ kind, name })) {
    if (text === '') yield required(`${path}.${field}`, `${field} is required`);
    else yield* checkText(`${path}.${field}`, text, pathSegment);
  }
}

/** Metadata with annotations that may be dropped. */
export interface Annotated {
  annotations?: Readonly<Record<string, string>> | undefined;
}

/** Drops annotations, in place. */
export function dropAnnotations(metadata: Annotated, keys: readonly string[]): void {
  const { annotations = {} } = metadata;
  if (!keys.some((key) => Object.hasOwn(annotations, key))) return;
  const kept = Object.entries(annotations).filter(([key]) => !keys.includes(key));
  metadata.annotations = kept.length === 0 ? undefined : Object.fromEntries(kept);
}
