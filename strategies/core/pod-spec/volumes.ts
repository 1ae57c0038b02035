/** The volumes of a pod, each with exactly one source. */
import type { FieldError, JsonObject } from '../../../runtime/contract/index.js';
import { dns1123Label, dns1123Subdomain } from '../../../runtime/objects/dns-names.js';
import { duplicate, forbidden, invalidValue, required } from '../../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../../runtime/objects/guards.js';
import type { Naming } from '../../../runtime/objects/naming.js';
import { quote } from '../../../runtime/objects/printing.js';
import { checkName, type FieldErrors } from '../../shared/field-checks.js';
import { hasAt, objectsAt } from '../../shared/reading.js';
import type { Volumes } from './mounts.js';
import { volumeSources } from './volume-sources.js';

/** What the checks of volumes depend on. */
export interface VolumeContext {
  readonly names: Naming;
  /** Of the pod; empty for templates, whose pods have no names yet. */
  readonly podName: string;
}

/** The volumes of a spec that nothing is wrong with, by name, and what is wrong with the others. */
export interface CheckedVolumes {
  readonly volumes: Volumes;
  readonly errors: FieldErrors;
}

/** Checks the volumes of the spec at a path. */
export function checkVolumes(spec: JsonObject, path: string, context: VolumeContext): CheckedVolumes {
  const list = objectsAt(spec, 'volumes');
  const created = new Set(list.filter((volume) => hasAt(volume, 'ephemeral')).map((one) => claimName(one, context)));
  const volumes = new Map<string, JsonObject>();
  const errors: FieldError[] = [];
  for (const [i, volume] of list.entries()) {
    const at = `${path}.volumes[${i}]`;
    const name = stringAt(volume, 'name');
    const found = [...checkSource(volume, at, context), ...checkName(`${at}.name`, name, dns1123Label)];
    if (volumes.has(name)) found.push(duplicate(`${at}.name`, name));
    if (found.length === 0) volumes.set(name, volume);
    for (const error of found) errors.push(error);
    const claim = stringAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName');
    if (context.podName === '' || claim === '' || !created.has(claim)) continue;
    const problem = 'must not reference a PVC that gets created for an ephemeral volume';
    errors.push(invalidValue(`${at}.persistentVolumeClaim.claimName`, claim, problem));
  }
  return { volumes, errors };
}

/** The claim that is made for a volume that lives as long as its pod. */
const claimName = (volume: JsonObject, { podName }: VolumeContext): string => `${podName}-${stringAt(volume, 'name')}`;

/** The one source of a volume; the others are too many. */
function* checkSource(volume: JsonObject, path: string, context: VolumeContext): FieldErrors {
  let found = false;
  for (const [key, check] of volumeSources) {
    const source = objectAt(volume, key);
    if (source === undefined) continue;
    if (found) yield forbidden(`${path}.${key}`, 'may not specify more than 1 volume type');
    else yield* check(source, `${path}.${key}`, context.names);
    found = true;
    if (key === 'iscsi') yield* checkPortalLength(volume, source, path);
    if (key === 'ephemeral') yield* checkClaimName(volume, path, context);
  }
  if (!found) yield required(path, 'must specify a volume type');
}

const maxPortal = 64;

function* checkPortalLength(volume: JsonObject, source: JsonObject, path: string): FieldErrors {
  const name = stringAt(volume, 'name');
  if (!hasAt(source, 'initiatorName') || `${name}:${stringAt(source, 'targetPortal')}`.length <= maxPortal) return;
  const problem =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  yield invalidValue(`${path}.name`, name, problem);
}

function* checkClaimName(volume: JsonObject, path: string, context: VolumeContext): FieldErrors {
  const name = stringAt(volume, 'name');
  if (context.podName === '' || name === '') return;
  const claim = claimName(volume, context);
  for (const problem of dns1123Subdomain(claim)) {
    yield invalidValue(`${path}.name`, name, `PVC name ${quote(claim)}: ${problem}`);
  }
}
