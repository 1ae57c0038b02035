/** Paths inside volumes: relative, and never out of the place where they begin. */
import type { KeyToPath, TypedLocalObjectReference } from '../../generated/types/core/v1/types.js';
import type { Draft } from '../../runtime/contract/index.js';
import { invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { dns1123Subdomain } from '../../runtime/objects/names/dns-names.js';
import { pathSegment } from '../../runtime/objects/names/names.js';
import { checkRequired, checkText, type FieldErrors } from './field-checks.js';

/** Whether a path goes up somewhere. */
export const hasBackstep = (path: string): boolean => path.split('/').includes('..');

/** A path that may not go up. */
export function* checkNoBacksteps(at: string, path: string): FieldErrors {
  if (hasBackstep(path)) yield invalidValue(at, path, "must not contain '..'");
}

/** A path below the place where it begins. */
export function* checkDescendingPath(at: string, path: string): FieldErrors {
  if (path.startsWith('/')) yield invalidValue(at, path, 'must be a relative path');
  yield* checkNoBacksteps(at, path);
}

/** A path of a file in a volume whose own files have names that begin with two dots. */
export function* checkFilePath(at: string, path: string): FieldErrors {
  yield* checkDescendingPath(at, path);
  if (path.startsWith('..') && !path.startsWith('../')) yield invalidValue(at, path, "must not start with '..'");
}

const maxFileMode = 0o777;

/** Permissions of a file, where they are given. */
export function* checkMode(mode: number | undefined, path: string): FieldErrors {
  if (mode === undefined || (mode >= 0 && mode <= maxFileMode)) return;
  yield invalidValue(path, mode, 'must be a number between 0 and 0777 (octal), both inclusive');
}

/** A key of a config map or secret, and the file that it becomes. */
export function* checkKeyToPath(item: Draft<KeyToPath>, path: string): FieldErrors {
  yield* checkRequired(item.key, `${path}.key`);
  yield* checkRequired(item.path, `${path}.path`);
  yield* checkFilePath(`${path}.path`, item.path ?? '');
  yield* checkMode(item.mode, `${path}.mode`);
}

const maxLength = 63;

/** A name that has to be there: a DNS subdomain in either case, of at most 63 characters. */
export function* checkDriverName(name: string, path: string): FieldErrors {
  if (name === '') yield required(path);
  if (name.length > maxLength) yield tooLong(path, maxLength);
  for (const problem of dns1123Subdomain(name.toLowerCase())) yield invalidValue(path, name, problem);
}

/** A reference by group, kind and name; a group that is there has to be one. */
export function* checkLocalReference(reference: Draft<TypedLocalObjectReference>, path: string): FieldErrors {
  const { apiGroup, kind = '', name = '' } = reference;
  if (typeof apiGroup === 'string') yield* checkText(`${path}.apiGroup`, apiGroup, dns1123Subdomain);
  for (const [field, text] of Object.entries({ kind, name })) {
    if (text === '') yield required(`${path}.${field}`, `${field} is required`);
    else yield* checkText(`${path}.${field}`, text, pathSegment);
  }
}
