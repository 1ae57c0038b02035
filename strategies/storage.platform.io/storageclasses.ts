/** StorageClass: its rules, and its columns. */
import { defineStorageClassHandlers } from '../../generated/storage.platform.io/v1/storageclasses/handlers.js';
import type { StorageClass } from '../../generated/storage.platform.io/v1/storageclasses/types.js';
import type { DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { invalidValue, tooLong } from '../../runtime/objects/field-error.js';
import { qualifiedNameCheck } from '../../runtime/objects/names/key-names.js';
import type { Naming } from '../../runtime/objects/naming.js';
import { byteLength } from '../../runtime/objects/printing.js';
import { deprecatedLabels, deprecationOf, firstWarnings, type Warnings } from '../core/nodes/labels.js';
import { checkTopologyTerms } from '../core/volumes/topology-terms.js';
import { checkOneOf, checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';

type StorageClassDraft = DraftObject<StorageClass>;

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** Policies for volumes that are made for claims; recycling is for others only. */
const reclaimPolicies = ['Delete', 'Retain'];

export const defineStorageClasses = (names: Naming): KindHandlers =>
  defineStorageClassHandlers({
    changeOrder: ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'],
    errorOrder: ['provisioner', 'parameters', 'reclaimPolicy', 'volumeBindingMode', 'allowedTopologies'],
    validate: (storageClass) => firstErrors(checkClass(storageClass)),
    warn: (storageClass) => firstWarnings(topologyWarnings(storageClass, names)),
    columns: {
      Name: (storageClass) => nameText(storageClass, names),
      AllowVolumeExpansion: ({ allowVolumeExpansion = false }) => allowVolumeExpansion,
    },
  });

function* checkClass(storageClass: StorageClassDraft): FieldErrors {
  const { provisioner, parameters = {}, reclaimPolicy, allowedTopologies = [] } = storageClass;
  // The provisioner is a qualified name in either case.
  if (provisioner) yield* checkText('provisioner', provisioner.toLowerCase(), qualifiedNameCheck);
  yield* checkParameters(parameters);
  if (reclaimPolicy) yield* checkOneOf(reclaimPolicy, 'reclaimPolicy', reclaimPolicies);
  yield* checkTopologyTerms(allowedTopologies, 'allowedTopologies');
}

/** Parameters have names, and are neither too many nor too long. */
function* checkParameters(parameters: Readonly<Record<string, string>>): FieldErrors {
  const entries = Object.entries(parameters);
  if (entries.length > maxParameters) {
    yield tooLong('parameters', maxParameters);
    return;
  }
  if (Object.hasOwn(parameters, '')) yield invalidValue('parameters', '', 'field can not be empty.');
  const bytes = entries.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  if (bytes > maxParameterBytes) yield tooLong('parameters', maxParameterBytes);
}

function* topologyWarnings({ allowedTopologies = [] }: StorageClassDraft, names: Naming): Warnings {
  const labels = deprecatedLabels(names);
  for (const [i, { matchLabelExpressions = [] }] of allowedTopologies.entries()) {
    for (const [j, { key = '' }] of matchLabelExpressions.entries()) {
      const advice = deprecationOf(key, labels);
      if (advice !== undefined) yield `allowedTopologies[${i}].matchLabelExpressions[${j}].key: ${advice}`;
    }
  }
}

/** The name, and whether claims without a class get this one. */
function nameText({ metadata: { name = '', annotations = {} } }: StorageClassDraft, { rename }: Naming): string {
  const marks = ['storageclass.platform.io/is-default-class', 'storageclass.beta.platform.io/is-default-class'];
  return marks.some((mark) => annotations[rename(mark)] === 'true') ? `${name} (default)` : name;
}
