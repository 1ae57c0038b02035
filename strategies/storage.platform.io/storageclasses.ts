/** StorageClass: its rules, and how tables show it. */
import type { ApiObject, JsonObject, Strategy } from '../../runtime/contract/index.js';
import { invalidValue, notSupported, tooLong } from '../../runtime/objects/field-error.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { qualifiedNameCheck } from '../../runtime/objects/key-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { byteLength } from '../../runtime/objects/printing.js';
import { deprecatedLabels, deprecationOf, firstWarnings, type Warnings } from '../core/nodes/labels.js';
import { checkTopologyTerms } from '../core/volumes/topology-terms.js';
import { checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';
import { isTrueAt, objectsAt } from '../shared/reading.js';

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** Policies for volumes that are made for claims; recycling is for others only. */
const reclaimPolicies = ['Delete', 'Retain'] as const;

export function defineStorageClassStrategy(names: Naming): Strategy {
  return {
    kind: 'storage.platform.io/StorageClass',
    validate: (storageClass) => firstErrors(checkClass(storageClass)),
    warnings: (storageClass) => firstWarnings(topologyWarnings(storageClass, names)),
    cell(storageClass, column) {
      if (column === 'Name') return nameText(storageClass, names);
      return column === 'AllowVolumeExpansion' ? isTrueAt(storageClass, 'allowVolumeExpansion') : undefined;
    },
  };
}

function* checkClass(storageClass: ApiObject): FieldErrors {
  // Whoever makes the volumes goes by a qualified name, in either case.
  const provisioner = stringAt(storageClass, 'provisioner').toLowerCase();
  if (provisioner !== '') yield* checkText('provisioner', provisioner, qualifiedNameCheck);
  yield* checkParameters(objectAt(storageClass, 'parameters') ?? {});
  const policy = stringAt(storageClass, 'reclaimPolicy');
  if (policy !== '' && !reclaimPolicies.some((known) => known === policy)) {
    yield notSupported('reclaimPolicy', policy, reclaimPolicies);
  }
  yield* checkTopologyTerms(objectsAt(storageClass, 'allowedTopologies'), 'allowedTopologies');
}

function* checkParameters(parameters: JsonObject): FieldErrors {
  const keys = Object.keys(parameters);
  if (keys.length > maxParameters) {
    yield tooLong('parameters', maxParameters);
    return;
  }
  if (Object.hasOwn(parameters, '')) yield invalidValue('parameters', '', 'field can not be empty.');
  const bytes = keys.reduce((sum, key) => sum + byteLength(key) + byteLength(stringAt(parameters, key)), 0);
  if (bytes > maxParameterBytes) yield tooLong('parameters', maxParameterBytes);
}

function* topologyWarnings(storageClass: ApiObject, names: Naming): Warnings {
  const labels = deprecatedLabels(names);
  for (const [i, term] of objectsAt(storageClass, 'allowedTopologies').entries()) {
    for (const [j, condition] of objectsAt(term, 'matchLabelExpressions').entries()) {
      const advice = deprecationOf(stringAt(condition, 'key'), labels);
      if (advice !== undefined) yield `allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${advice}`;
    }
  }
}

/** The name, and whether claims without a class get this one. */
function nameText({ metadata: { name = '', annotations = {} } }: ApiObject, { rename }: Naming): string {
  const marks = ['storageclass.platform.io/is-default-class', 'storageclass.beta.platform.io/is-default-class'];
  return marks.some((mark) => annotations[rename(mark)] === 'true') ? `${name} (default)` : name;
}
