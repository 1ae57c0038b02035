/** Names and settings that claims, classes and slices have in common. */

import type { OpaqueDeviceConfiguration } from '../../generated/types/resource/v1/types.js';
import { encodeJson } from '../../runtime/codec/json.js';
import type { Draft, JsonValue } from '../../runtime/contract/index.js';
import { invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { isObject } from '../../runtime/objects/guards.js';
import { byteLength, dns1123Subdomain } from '../../runtime/objects/names/name-checks.js';
import { checkText, type FieldErrors } from '../shared/field-checks.js';
import { checkDriverName } from '../shared/names.js';

const maxDomain = 63;
const maxId = 32;
const maxPoolName = 253;
const maxData = 10 * 1024;
const identifier = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Checks the name of an attribute or capacity: an identifier, with or without a domain before it. */
export function* checkQualifiedName(name: string, path: string): FieldErrors {
  const parts = name.split('/');
  if (parts.length > 2) {
    yield invalidValue(path, name, 'the name must contain at most one slash');
    return;
  }
  const [id = '', domain] = parts.reverse();
  if (domain === '') yield invalidValue(path, name, 'the domain must not be empty');
  else if (domain !== undefined) yield* checkDomain(domain, path);
  if (id === '') yield invalidValue(path, name, 'the name must not be empty');
  else yield* checkId(id, path);
}

/** Checks a name that must have a domain. */
export function* checkFullName(name: string, path: string): FieldErrors {
  if (name === '') yield required(path, 'name must not be empty');
  else if (!name.includes('/')) yield invalidValue(path, name, 'must include a domain');
  else yield* checkQualifiedName(name, path);
}

function* checkDomain(domain: string, path: string): FieldErrors {
  if (domain.length > maxDomain) yield tooLong(path, maxDomain);
  yield* checkText(path, domain, dns1123Subdomain);
}

function* checkId(id: string, path: string): FieldErrors {
  if (id.length > maxId) yield tooLong(path, maxId);
  const rule =
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric " +
    "characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is " +
    "'[A-Za-z_][A-Za-z0-9_]*')";
  if (!identifier.test(id)) yield invalidValue(path, id, rule);
}

/** Checks the name of a pool: subdomains with slashes between them. */
export function* checkPoolName(name: string, path: string): FieldErrors {
  if (name === '') {
    yield required(path);
    return;
  }
  if (byteLength(name) > maxPoolName) yield tooLong(path, maxPoolName);
  for (const part of name.split('/')) yield* checkText(path, part, dns1123Subdomain);
}

/** Checks settings for a driver. */
export function* checkConfiguration(opaque: Draft<OpaqueDeviceConfiguration> | undefined, at: string): FieldErrors {
  const path = `${at}.opaque`;
  if (opaque === undefined) {
    yield required(path);
    return;
  }
  yield* checkDriverName(opaque.driver ?? '', `${path}.driver`);
  yield* checkData(opaque.parameters, `${path}.parameters`);
}

/** Checks the data of a driver, which is an object of limited size. */
export function* checkData(data: JsonValue | undefined, path: string): FieldErrors {
  if (data === undefined || data === null) yield required(path);
  else if (!isObject(data)) yield invalidValue(path, '<value omitted>', 'parameters must be a valid JSON object');
  else if (byteLength(encodeJson(data)) > maxData) yield tooLong(path, maxData);
}
