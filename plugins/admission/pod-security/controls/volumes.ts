/** Controls of the volumes of pods: none of the node, and in the restricted level only those that need no rights. */
import type { JsonObject } from '../../../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../../../runtime/objects/guards.js';
import type { Check, Control } from '../control.js';
import { counted, distinct, quoted } from '../words.js';

const volumesText = (volumes: readonly JsonObject[]): string =>
  `${counted('volume', 'volumes', volumes.length)} ${quoted(volumes.map((volume) => stringAt(volume, 'name')))}`;

const checkHostPaths: Check = ({ spec }) => {
  const ofHost = objectsAt(spec, 'volumes').filter((volume) => objectAt(volume, 'hostPath'));
  return ofHost.length === 0 ? undefined : { reason: 'hostPath volumes', detail: volumesText(ofHost) };
};

const harmless = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

/** The type of a volume that is not harmless. A volume has the field of one type, and its name. */
function restrictedType(volume: JsonObject): string | undefined {
  const types = Object.keys(volume).filter((key) => key !== 'name' && volume[key] !== undefined);
  return types.some((type) => harmless.has(type)) ? undefined : (types[0] ?? 'unknown');
}

const checkTypes: Check = ({ spec }) => {
  const restricted = objectsAt(spec, 'volumes').filter((volume) => restrictedType(volume) !== undefined);
  if (restricted.length === 0) return undefined;
  const types = distinct(restricted.map((volume) => restrictedType(volume) ?? ''));
  const verb = counted('uses', 'use', restricted.length);
  const noun = counted('restricted volume type', 'restricted volume types', types.length);
  return { reason: 'restricted volume types', detail: `${volumesText(restricted)} ${verb} ${noun} ${quoted(types)}` };
};

export const volumeControls: readonly Control[] = [
  { id: 'hostPathVolumes', level: 'baseline', versions: [{ since: 0, check: checkHostPaths }] },
  {
    id: 'restrictedVolumes',
    level: 'restricted',
    replaces: 'hostPathVolumes',
    versions: [{ since: 0, check: checkTypes }],
  },
];
