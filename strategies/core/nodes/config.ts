/** Where a node takes its configuration from; nothing acts upon it any more, but what is stored stays valid. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/dns-names.js';
import { forbidden, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { configMapKey } from '../../../runtime/objects/key-names.js';
import type { NameCheck } from '../../../runtime/objects/name-patterns.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';

/** The source that is asked for, at its path: a config map in whichever version it is. */
export function* checkConfigSource(source: JsonObject, path: string): FieldErrors {
  const map = objectAt(source, 'configMap');
  if (map) {
    for (const key of ['uid', 'resourceVersion']) {
      if (stringAt(map, key) !== '') yield forbidden(`${path}.configMap.${key}`, `${key} must not be set in spec`);
    }
    yield* checkConfigMap(map, `${path}.configMap`);
  } else yield invalidValue(path, source, onlyOne);
}

const onlyOne = 'exactly one reference subfield must be non-nil';

/** The sources that a status reports, at its path: config maps in one version each. */
export function* checkConfigStatus(status: JsonObject, path: string): FieldErrors {
  for (const key of ['assigned', 'active', 'lastKnownGood']) {
    const source = objectAt(status, key);
    if (source) yield* checkReportedSource(source, `${path}.${key}`);
  }
}

function* checkReportedSource(source: JsonObject, path: string): FieldErrors {
  const map = objectAt(source, 'configMap');
  if (map) {
    for (const key of ['uid', 'resourceVersion']) {
      if (stringAt(map, key) === '') yield required(`${path}.configMap.${key}`, `${key} must be set in status`);
    }
    yield* checkConfigMap(map, `${path}.configMap`);
  } else yield invalidValue(path, source, onlyOne);
}

const parts: readonly (readonly [key: string, check: NameCheck])[] = [
  ['namespace', dns1123Label],
  ['name', dns1123Subdomain],
  ['kubeletConfigKey', configMapKey],
];

function* checkConfigMap(map: JsonObject, path: string): FieldErrors {
  for (const [key, check] of parts) {
    const text = stringAt(map, key);
    if (text === '') yield required(`${path}.${key}`, `${key} must be set`);
    else yield* checkText(`${path}.${key}`, text, check);
  }
}
