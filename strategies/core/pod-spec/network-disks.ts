/** Disks that nodes reach by iSCSI or Fibre Channel. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { invalidValue, required, stringList } from '../../../runtime/objects/field-error.js';
import { stringAt } from '../../../runtime/objects/guards.js';
import { checkPresent, checkRange, type FieldErrors } from '../../shared/field-checks.js';
import { hasAt, integerAt, isTrueAt, textsAt } from '../../shared/reading.js';

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
export function* checkIscsi(source: JsonObject, path: string): FieldErrors {
  yield* checkPresent(source, 'targetPortal', path);
  const name = stringAt(source, 'iqn');
  if (name === '') yield required(`${path}.iqn`);
  else yield* checkQualifiedName(name, `${path}.iqn`);
  yield* checkRange(source, 'lun', path, luns);
  const authenticated = isTrueAt(source, 'chapAuthDiscovery') || isTrueAt(source, 'chapAuthSession');
  if (authenticated && !hasAt(source, 'secretRef')) yield required(`${path}.secretRef`);
  if (hasAt(source, 'initiatorName')) {
    yield* checkQualifiedName(stringAt(source, 'initiatorName'), `${path}.initiatorname`);
  }
}

/** A disk behind Fibre Channel, named in one of two ways. */
export function* checkFc(source: JsonObject, path: string): FieldErrors {
  const [targets, ids] = [textsAt(source, 'targetWWNs'), textsAt(source, 'wwids')];
  const at = `${path}.targetWWNs`;
  if (targets.length === 0 && ids.length === 0) {
    yield required(at, 'must specify either targetWWNs or wwids, but not both');
  }
  if (targets.length > 0 && ids.length > 0) {
    yield invalidValue(at, stringList(targets), 'targetWWNs and wwids can not be specified simultaneously');
  }
  if (targets.length === 0) return;
  if (integerAt(source, 'lun') === undefined)
    yield required(`${path}.lun`, 'lun is required if targetWWNs is specified');
  else yield* checkRange(source, 'lun', path, luns);
}
