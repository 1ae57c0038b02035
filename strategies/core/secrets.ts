/** Secret: texts that become data, what the data of each type has to hold, and data that was made immutable. */
import type { ApiObject, FieldError, Strategy } from '../../runtime/contract/index.js';
import { invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { isObject, objectAt, setOwn, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { countKeys, decodedLength, immutableErrors, keyErrors, maxDataBytes } from './data-keys.js';
import { keyPairProblem } from './key-pair.js';

/** Checks the data of one type. */
type TypeCheck = (object: ApiObject) => readonly FieldError[];

export function defineSecretStrategy(names: Naming): Strategy {
  const checks = typeChecks(names);
  return {
    kind: 'Secret',
    repeatsMetadataErrors: true,
    canonicalize: moveStringData,
    validate: (object) => [
      ...keyErrors(object, 'data'),
      ...sizeErrors(object),
      ...(checks.get(stringAt(object, 'type'))?.(object) ?? []),
    ],
    validateUpdate: (object, old) => immutableErrors(object, old, ['data']),
    warnings: (object) => (stringAt(object, 'type') === names.secretTypes.tls ? keyPairWarnings(object) : []),
    cell: (object, column) => (column === 'Data' ? countKeys(object, ['data']) : undefined),
  };
}

/** `stringData` is for writing only: its texts take the place of data under the same keys. */
function moveStringData(object: ApiObject): void {
  const texts = objectAt(object, 'stringData');
  delete object.stringData;
  if (!texts) return;
  const data = { ...objectAt(object, 'data') };
  for (const [key, text] of Object.entries(texts)) {
    if (typeof text === 'string') setOwn(data, key, Buffer.from(text).toString('base64'));
  }
  if (Object.keys(data).length > 0) object.data = data;
}

function sizeErrors(object: ApiObject): FieldError[] {
  let bytes = 0;
  for (const value of Object.values(objectAt(object, 'data') ?? {})) bytes += decodedLength(value);
  return bytes > maxDataBytes ? [tooLong('data', maxDataBytes)] : [];
}

function typeChecks({ secretTypes, wellKnown }: Naming): ReadonlyMap<string, TypeCheck> {
  const account = wellKnown.serviceAccountNameAnnotation;
  return new Map<string, TypeCheck>([
    [
      secretTypes.serviceAccountToken,
      ({ metadata }) => (metadata.annotations?.[account] ? [] : [required(`metadata.annotations[${account}]`)]),
    ],
    [secretTypes.dockerConfig, jsonAt('.dockercfg')],
    [secretTypes.dockerConfigJson, jsonAt('.dockerconfigjson')],
    [secretTypes.basicAuth, (object) => (hasAny(object, basicAuthKeys) ? [] : missing(object, basicAuthKeys))],
    [
      secretTypes.sshAuth,
      (object) => (stringAt(objectAt(object, 'data'), sshKey) === '' ? [required(`data[${sshKey}]`)] : []),
    ],
    [secretTypes.tls, (object) => missing(object, tlsKeys)],
  ]);
}

const basicAuthKeys = ['username', 'password'] as const;
const sshKey = 'ssh-privatekey';
const tlsKeys = ['tls.crt', 'tls.key'] as const;

function hasAny(object: ApiObject, keys: readonly string[]): boolean {
  return missing(object, keys).length < keys.length;
}

function missing(object: ApiObject, keys: readonly string[]): FieldError[] {
  const data = objectAt(object, 'data') ?? {};
  return keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));
}

/** A key that must hold a JSON object. Its contents are never part of a message. */
function jsonAt(key: string): TypeCheck {
  return (object) => {
    const absent = missing(object, [key]);
    if (absent.length > 0) return absent;
    const problem = jsonObjectProblem(bytesAt(object, key).toString('utf8'));
    return problem === undefined ? [] : [invalidValue(`data[${key}]`, '<secret contents redacted>', problem)];
  };
}

function jsonObjectProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) || value === null ? undefined : 'json: the value is not an object';
  } catch {
    return 'json: the text is not valid JSON';
  }
}

function bytesAt(object: ApiObject, key: string): Buffer {
  return Buffer.from(stringAt(objectAt(object, 'data'), key), 'base64');
}

function keyPairWarnings(object: ApiObject): readonly string[] {
  const problem = keyPairProblem(bytesAt(object, 'tls.crt'), bytesAt(object, 'tls.key'));
  return problem === undefined ? [] : [problem];
}
