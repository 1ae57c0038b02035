/** Secret: `stringData`, the keys that each type requires, and immutable data. */
import { createPrivateKey, type KeyObject } from 'node:crypto';
import { defineSecretHandlers } from '../../generated/core/v1/secrets/handlers.js';
import type { Secret } from '../../generated/core/v1/secrets/types.js';
import { parseCertificate } from '../../runtime/codec/certificates/certificates.js';
import { type PemBlock, pemBlocks } from '../../runtime/codec/certificates/pem.js';
import type { DraftObject, FieldError, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { isObject, setOwn } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { countKeys, type DataMap, decodedLength, immutableErrors, keyErrors, maxDataBytes } from './configmaps.js';

type SecretDraft = DraftObject<Secret>;

type TypeCheck = (secret: SecretDraft) => readonly FieldError[];

export function defineSecrets(names: Naming): KindHandlers {
  const checks = typeChecks(names);
  return defineSecretHandlers({
    updateChecks: ['metadata changes', 'field changes', 'metadata', 'fields'],
    canonicalize: moveStringData,
    validate: (secret) => [
      ...keyErrors(secret.data, 'data'),
      ...(decodedLength(secret.data) > maxDataBytes ? [tooLong('data', maxDataBytes)] : []),
      ...(checks.get(secret.type ?? '')?.(secret) ?? []),
    ],
    validateUpdate: (secret, old) => immutableErrors(secret, old, ['data']),
    warn: ({ type, data = {} }) => (type === names.secretTypes.tls ? keyPairWarnings(data) : []),
    columns: { Data: ({ data }) => countKeys(data) },
  });
}

/** `stringData` can only be written: its texts replace the data under the same keys. */
function moveStringData(secret: SecretDraft): void {
  const { stringData } = secret;
  delete secret.stringData;
  if (!stringData) return;
  const data = { ...secret.data };
  for (const [key, text] of Object.entries(stringData)) setOwn(data, key, Buffer.from(text).toString('base64'));
  if (Object.keys(data).length > 0) secret.data = data;
}

const basicAuthKeys = ['username', 'password'];
const sshKey = 'ssh-privatekey';

function typeChecks({ secretTypes, wellKnown }: Naming): ReadonlyMap<string, TypeCheck> {
  const account = wellKnown.serviceAccountNameAnnotation;
  return new Map<string, TypeCheck>([
    [
      secretTypes.serviceAccountToken,
      ({ metadata }) => (metadata.annotations?.[account] ? [] : [required(`metadata.annotations[${account}]`)]),
    ],
    [secretTypes.dockerConfig, jsonAt('.dockercfg')],
    [secretTypes.dockerConfigJson, jsonAt('.dockerconfigjson')],
    [secretTypes.basicAuth, oneOf(basicAuthKeys)],
    [secretTypes.sshAuth, ({ data = {} }) => (textAt(data, sshKey) === '' ? [required(`data[${sshKey}]`)] : [])],
    [secretTypes.tls, ({ data }) => missing(['tls.crt', 'tls.key'], data)],
  ]);
}

const missing = (keys: readonly string[], data: DataMap = {}): readonly FieldError[] =>
  keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(`data[${key}]`));

/** At least one of the keys exists; the errors name all of them. */
const oneOf =
  (keys: readonly string[]): TypeCheck =>
  ({ data }) => {
    const errors = missing(keys, data);
    return errors.length < keys.length ? [] : errors;
  };

/** A key holds a JSON object. Its content never appears in messages. */
const jsonAt =
  (key: string): TypeCheck =>
  ({ data = {} }) => {
    if (!Object.hasOwn(data, key)) return missing([key]);
    const problem = jsonObjectProblem(bytesAt(data, key).toString('utf8'));
    return problem === undefined ? [] : [invalidValue(`data[${key}]`, '<secret contents redacted>', problem)];
  };

function jsonObjectProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) || value === null ? undefined : 'json: the value is not an object';
  } catch {
    return 'json: the text is not valid JSON';
  }
}

const textAt = (data: DataMap, key: string): string => (Object.hasOwn(data, key) ? (data[key] ?? '') : '');

const bytesAt = (data: DataMap, key: string): Buffer => Buffer.from(textAt(data, key), 'base64');

function keyPairWarnings(data: DataMap): readonly string[] {
  const problem = keyPairProblem(bytesAt(data, 'tls.crt'), bytesAt(data, 'tls.key'));
  return problem === undefined ? [] : [problem];
}

/**
 * Returns why a certificate chain (PEM, the server's own first) and a key (PEM) do not match; `undefined` if they do.
 */
export function keyPairProblem(certificatePem: Uint8Array, keyPem: Uint8Array): string | undefined {
  const certificates = pemBlocks(certificatePem);
  const certificate = certificates.find(({ type }) => type === 'CERTIFICATE');
  if (!certificate) return missingCertificate(certificates);
  const keys = pemBlocks(keyPem);
  const key = keys.find(({ type }) => isKeyType(type));
  if (!key) return missingKey(keys);
  const parsed = parseCertificate(certificate.bytes);
  if (!parsed) return 'x509: malformed certificate';
  const privateKey = parseKey(key.bytes);
  if (!privateKey) return 'tls: failed to parse private key';
  if (parsed.publicKey.asymmetricKeyType !== privateKey.asymmetricKeyType) {
    return 'tls: private key type does not match public key type';
  }
  return parsed.checkPrivateKey(privateKey) ? undefined : 'tls: private key does not match public key';
}

const isKeyType = (type: string): boolean => type === 'PRIVATE KEY' || type.endsWith(' PRIVATE KEY');

function missingCertificate(blocks: readonly PemBlock[]): string {
  const types = blocks.map(({ type }) => type);
  const [only] = types;
  if (only === undefined) return 'tls: failed to find any PEM data in certificate input';
  if (types.length === 1 && only.endsWith('PRIVATE KEY')) {
    return 'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched';
  }
  return `tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

function missingKey(blocks: readonly PemBlock[]): string {
  const types = blocks.map(({ type }) => type);
  const [only] = types;
  if (only === undefined) return 'tls: failed to find any PEM data in key input';
  if (types.length === 1 && only === 'CERTIFICATE') {
    return 'tls: found a certificate rather than a key in the PEM for the private key';
  }
  return `tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [${types.join(' ')}]`;
}

/** Reads a key in any form that PEM blocks hold, whatever their label says. */
function parseKey(der: Uint8Array): KeyObject | undefined {
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: Buffer.from(der), format: 'der', type });
    } catch {
      // Not this form; try the next one.
    }
  }
  return undefined;
}
