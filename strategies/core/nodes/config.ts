/** Where a node takes its configuration from; nothing acts upon it any more, but what is stored stays valid. */
import type {
  ConfigMapNodeConfigSource,
  NodeConfigSource,
  NodeConfigStatus,
} from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { forbidden, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/names/dns-names.js';
import { configMapKey } from '../../../runtime/objects/names/key-names.js';
import { checkText, type FieldErrors } from '../../shared/field-checks.js';

type ConfigMap = Draft<ConfigMapNodeConfigSource>;

/** Fields that say which state of a config map is meant. */
const stateFields = ['uid', 'resourceVersion'] as const;

/** The source in a spec is a config map, whatever its state. */
export function* checkConfigSource(source: Draft<NodeConfigSource>, path: string): FieldErrors {
  yield* checkSource(source, path, function* (map, at) {
    for (const key of stateFields) if (map[key]) yield forbidden(`${at}.${key}`, `${key} must not be set in spec`);
  });
}

/** The sources in a status are config maps in one state each. */
export function* checkConfigStatus(status: Draft<NodeConfigStatus>, path: string): FieldErrors {
  for (const field of ['assigned', 'active', 'lastKnownGood'] as const) {
    const source = status[field];
    if (!source) continue;
    yield* checkSource(source, `${path}.${field}`, function* (map, at) {
      for (const key of stateFields) if (!map[key]) yield required(`${at}.${key}`, `${key} must be set in status`);
    });
  }
}

function* checkSource(
  source: Draft<NodeConfigSource>,
  path: string,
  checkState: (map: ConfigMap, at: string) => FieldErrors,
): FieldErrors {
  const { configMap } = source;
  if (!configMap) {
    yield invalidValue(path, source, 'exactly one reference subfield must be non-nil');
    return;
  }
  yield* checkState(configMap, `${path}.configMap`);
  for (const [key, check] of identity) {
    const text = configMap[key];
    if (text) yield* checkText(`${path}.configMap.${key}`, text, check);
    else yield required(`${path}.configMap.${key}`, `${key} must be set`);
  }
}

const identity = [
  ['namespace', dns1123Label],
  ['name', dns1123Subdomain],
  ['kubeletConfigKey', configMapKey],
] as const;
