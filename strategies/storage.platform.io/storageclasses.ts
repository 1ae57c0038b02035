/** StorageClass: its parameters and topologies, and its columns. */
import { defineStorageClassHandlers } from '../../generated/storage.platform.io/v1/storageclasses/handlers.js';
import type { StorageClass } from '../../generated/storage.platform.io/v1/storageclasses/types.js';
import type { TopologySelectorLabelRequirement, TopologySelectorTerm } from '../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, KindHandlers } from '../../runtime/contract/index.js';
import { duplicate, invalidValue, required, tooLong } from '../../runtime/objects/field-error.js';
import { byteLength, qualifiedNameCheck } from '../../runtime/objects/names/name-checks.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { byCodePoint } from '../../runtime/objects/printing.js';
import { deprecatedLabels, deprecationOf, firstWarnings, type Warnings } from '../core/node-labels.js';
import { checkOneOf, checkText, type FieldErrors, firstErrors } from '../shared/field-checks.js';

type StorageClassDraft = DraftObject<StorageClass>;

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** Policies for volumes made for claims; `Recycle` is only for other volumes. */
const reclaimPolicies = ['Delete', 'Retain'];

export const defineStorageClasses = (names: Naming): KindHandlers =>
  defineStorageClassHandlers({
    updateChecks: ['metadata', 'fields', 'metadata changes', 'field changes'],
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
  // A provisioner is a qualified name in either case.
  if (provisioner) yield* checkText('provisioner', provisioner.toLowerCase(), qualifiedNameCheck);
  yield* checkParameters(parameters);
  if (reclaimPolicy) yield* checkOneOf(reclaimPolicy, 'reclaimPolicy', reclaimPolicies);
  yield* checkTopologyTerms(allowedTopologies, 'allowedTopologies');
}

/** Parameters have names, and are limited in number and size. */
export function* checkParameters(parameters: Readonly<Record<string, string>>): FieldErrors {
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

/** Prints the name, and whether claims without a class get this one. */
function nameText({ metadata: { name = '', annotations = {} } }: StorageClassDraft, { rename }: Naming): string {
  const marks = ['storageclass.platform.io/is-default-class', 'storageclass.beta.platform.io/is-default-class'];
  return marks.some((mark) => annotations[rename(mark)] === 'true') ? `${name} (default)` : name;
}

// Topology terms: where volumes of a class may be, by labels of nodes. No two terms are equal.

type Term = Draft<TopologySelectorTerm>;

/** Checks the terms of a list. */
function* checkTopologyTerms(terms: readonly Term[], path: string): FieldErrors {
  // As in the reference, an empty term is refused even if it is the only one: terms are compared with empty slots.
  const before = new Map([[meaningOf({}), terms.length]]);
  for (const [i, term] of terms.entries()) {
    const at = `${path}[${i}].matchLabelExpressions`;
    yield* checkConditions(term.matchLabelExpressions ?? [], at);
    const meaning = meaningOf(term);
    const times = before.get(meaning) ?? 0;
    for (let n = 0; n < times; n++) yield duplicate(at, '');
    before.set(meaning, times + 1);
  }
}

/** Returns the meaning of a term, independent of the order of keys and values. */
function meaningOf({ matchLabelExpressions = [] }: Term): string {
  const wanted = new Map(matchLabelExpressions.map(({ key = '', values }) => [key, [...new Set(values)].sort()]));
  return JSON.stringify([...wanted].sort(([a], [b]) => byCodePoint(a, b)));
}

/** A term names each label once. */
function* checkConditions(list: readonly Draft<TopologySelectorLabelRequirement>[], path: string): FieldErrors {
  const keys = new Set<string>();
  for (const [i, { key = '', values }] of list.entries()) {
    const at = `${path}[${i}]`;
    yield* checkValues(values ?? [], `${at}.values`);
    yield* checkText(`${at}.key`, key, qualifiedNameCheck);
    if (keys.has(key)) yield duplicate(`${at}.key`, key);
    keys.add(key);
  }
}

/** A label has at least one value, and each value once. */
function* checkValues(values: readonly string[], path: string): FieldErrors {
  if (values.length === 0) yield required(path);
  const seen = new Set<string>();
  for (const [i, value] of values.entries()) {
    if (seen.has(value)) yield duplicate(`${path}[${i}]`, value);
    seen.add(value);
  }
}
