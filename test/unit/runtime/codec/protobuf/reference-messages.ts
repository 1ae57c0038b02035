/** All messages of the reference in the form of a lock, and its golden objects; facts for tests. */
import { existsSync, readFileSync } from 'node:fs';
import type { ReferenceMessages } from '../../../../../generator/lock/import-reference.js';
import { decodeJson } from '../../../../../runtime/codec/json.js';
import type { JsonObject, ProtobufMessage } from '../../../../../runtime/contract/index.js';
import { isObject } from '../../../../../runtime/objects/guards.js';

const shared = new URL('../../../../../../shared/', import.meta.url);
const messagesFile = new URL('reference/protobuf-1.27.json', shared);
const goldenFile = new URL('suites/golden-objects-1.27.jsonl', shared);

export const hasGolden = existsSync(messagesFile) && existsSync(goldenFile);

export interface Golden {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly object: JsonObject;
  readonly bytes: Buffer;
}

export function goldenObjects(): Golden[] {
  return readFileSync(goldenFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const row: Record<string, string> = JSON.parse(line);
      // JSON.parse cannot represent all of these numbers.
      const decoded = decodeJson(line);
      const object = decoded.ok && isObject(decoded.value) ? decoded.value.json : undefined;
      if (!isObject(object)) throw new Error('not an object');
      const { group = '', version = '', kind = '', protobuf = '' } = row;
      return { group, version, kind, object, bytes: Buffer.from(protobuf, 'base64') };
    });
}

/** Messages with fields that belong to the parent object in JSON. */
const inlined = new Set([
  'localObjectReference',
  'volumeSource',
  'persistentVolumeSource',
  'handler',
  'ephemeralContainerCommon',
  'ingressRuleValue',
  'rule',
  'ruleWithOperations',
]);

const jsonNames = new Map([
  ['Webhooks', 'webhooks'],
  ['Expression', 'expression'],
  ['uID', 'uid'],
  ['aPIGroup', 'apiGroup'],
  ['ref', '$ref'],
  ['schema', '$schema'],
  ['xKubernetesEmbeddedResource', 'x-kubernetes-embedded-resource'],
  ['xKubernetesIntOrString', 'x-kubernetes-int-or-string'],
  ['xKubernetesListMapKeys', 'x-kubernetes-list-map-keys'],
  ['xKubernetesListType', 'x-kubernetes-list-type'],
  ['xKubernetesMapType', 'x-kubernetes-map-type'],
  ['xKubernetesPreserveUnknownFields', 'x-kubernetes-preserve-unknown-fields'],
  ['xKubernetesValidations', 'x-kubernetes-validations'],
]);

export function referenceMessages(): Record<string, ProtobufMessage> {
  const all: ReferenceMessages = JSON.parse(readFileSync(messagesFile, 'utf8'));
  return Object.fromEntries(
    Object.entries(all).map(([full, fields]) => {
      const id = idOf(full);
      const entries = fields.map(({ name, number, type, label }) => {
        const of = label === 'map' ? type.slice('map<string, '.length, -1) : type;
        const isMessage = /^[A-Z]/.test(of) || of.includes('.');
        const target = isMessage ? idOf(of.includes('.') ? of : `${packageOf(full)}.${of}`) : of;
        const isInline = isMessage && label === 'optional' && inlined.has(name);
        const prefix = isInline ? 'inline ' : label === 'optional' ? '' : `${label} `;
        return [jsonName(full, name), [number, prefix + target]] as const;
      });
      return [id, Object.fromEntries(entries)];
    }),
  );
}

const packageOf = (full: string): string => full.slice(0, full.lastIndexOf('.'));

function jsonName(full: string, name: string): string {
  if (/\.(?:ExtraValue|Verbs)$/.test(full)) return '';
  const isSchema = full.endsWith('.JSONSchemaProps');
  return (name === 'ref' || name === 'schema') && !isSchema ? name : (jsonNames.get(name) ?? name);
}

/** Converts `k8s.io.api.storage.v1.CSIDriver` → `storage/v1#/CSIDriver`; the shared types are the runtime's own. */
export function idOf(full: string): string {
  const [name = '', version = '', group = ''] = full.split('.').reverse();
  if (full.startsWith('k8s.io.apimachinery.pkg.apis.meta.')) return `meta/${version}#/${name}`;
  // Quantities and similar types have packages of their own. One of them is not a meta type and shares its name.
  if (full === 'k8s.io.apimachinery.pkg.runtime.TypeMeta') return 'runtime#/TypeMeta';
  if (full.startsWith('k8s.io.apimachinery.')) return `meta/v1#/${name}`;
  return `${group}/${version}#/${name}`;
}
