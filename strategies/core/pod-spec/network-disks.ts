/** Rules for disks that nodes reach by iSCSI or Fibre Channel. */
import type { FCVolumeSource, ISCSIVolumeSource } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { invalidValue, required, stringList } from '../../../runtime/objects/field-error.js';
import { checkBetween, checkRequired, type FieldErrors } from '../../shared/field-checks.js';

/** Forms of names that have two ends, by what they begin with. */
const nameForms: readonly (readonly [prefix: string, form: RegExp])[] = [
  ['iqn', /^iqn\.\d{4}-\d{2}\.([a-zA-Z0-9.-]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[a-zA-Z0-9]{16}$/],
  ['naa', /^naa.[a-zA-Z0-9]{32}$/],
];

function* checkQualifiedName(name: string, path: string): FieldErrors {
  const form = nameForms.find(([prefix]) => name.startsWith(prefix));
  if (!form) yield invalidValue(path, name, 'must be valid format starting with iqn, eui, or naa');
  else if (!form[1].test(name)) yield invalidValue(path, name, 'must be valid format');
}

const luns: readonly [number, number] = [0, 255];

/** A disk behind iSCSI. */
export function* checkIscsi(source: Draft<ISCSIVolumeSource>, path: string): FieldErrors {
  const { iqn, chapAuthDiscovery, chapAuthSession, secretRef, initiatorName } = source;
  yield* checkRequired(source.targetPortal, `${path}.targetPortal`);
  if (iqn) yield* checkQualifiedName(iqn, `${path}.iqn`);
  else yield required(`${path}.iqn`);
  yield* checkBetween(source.lun, `${path}.lun`, luns);
  if ((chapAuthDiscovery || chapAuthSession) && !secretRef) yield required(`${path}.secretRef`);
  if (initiatorName !== undefined) yield* checkQualifiedName(initiatorName, `${path}.initiatorname`);
}

/** A disk behind Fibre Channel, named in one of two ways. */
export function* checkFc(source: Draft<FCVolumeSource>, path: string): FieldErrors {
  const { targetWWNs = [], wwids = [] } = source;
  const at = `${path}.targetWWNs`;
  if (targetWWNs.length === 0 && wwids.length === 0) {
    yield required(at, 'must specify either targetWWNs or wwids, but not both');
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    yield invalidValue(at, stringList(targetWWNs), 'targetWWNs and wwids can not be specified simultaneously');
  }
  if (targetWWNs.length === 0) return;
  if (source.lun === undefined) yield required(`${path}.lun`, 'lun is required if targetWWNs is specified');
  yield* checkBetween(source.lun, `${path}.lun`, luns);
}
