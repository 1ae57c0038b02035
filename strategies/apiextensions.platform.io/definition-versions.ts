/** Converts definitions from and to v1beta1, which lists a part only once if all versions share it. */

import type { CustomResourceDefinition } from '../../generated/apiextensions.platform.io/v1/customresourcedefinitions/types.js';
import type {
  CustomResourceDefinitionNames,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../generated/types/apiextensions/v1/types.js';
import type { Draft, DraftObject, JsonObject, JsonValue, NamedConversion } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { equal } from '../../runtime/objects/equality.js';
import { getOwn, isArray, isObject, isString, objectAt, stringAt } from '../../runtime/objects/guards.js';

// Separates the parts that all versions of a definition share: errors report these once.

/** The versions of a definition, and the parts that they share. */
export interface PartedVersions<Version> {
  /** Schema, subresources, columns and selectable fields, each only if all versions have the same. */
  readonly common: Version | undefined;
  /** The versions without the shared parts. */
  readonly versions: readonly Version[];
}

const sharable = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const;

/** Separates shared parts. A single version shares all its parts. */
export function partVersions<Version extends JsonObject>(versions: readonly Version[]): PartedVersions<Version> {
  const [first, ...rest] = versions;
  if (first === undefined) return { common: undefined, versions };
  const part = (version: JsonObject, key: string) => getOwn(version, key) ?? null;
  const common: ReadonlySet<string> = new Set(
    sharable.filter((key) => rest.every((version) => equal(part(version, key), part(first, key)))),
  );
  // Selectable fields depend on their schema, so they are shared only together with it.
  const isCommon = (key: string) => common.has(key) && (key !== 'selectableFields' || common.has('schema'));
  return {
    common: withFields(first, isCommon),
    versions: versions.map((version) => withFields(version, (key) => !isCommon(key))),
  };
}

/** Copies an object with some of its fields. */
function withFields<T extends JsonObject>(object: T, keeps: (key: string) => boolean): T {
  const copy = { ...object };
  const fields: JsonObject = copy;
  for (const key of Object.keys(fields)) if (!keeps(key)) delete fields[key];
  return copy;
}

/** Returns the objects of a list. Other items become empty objects, so that positions stay right. */
export const objectsAt = (object: JsonObject | undefined, key: string): readonly JsonObject[] =>
  listAt(object, key).map((item) => (isObject(item) ? item : {}));

/** Returns the texts of a list. Other items become empty texts, so that positions stay right. */
const textsAt = (object: JsonObject | undefined, key: string): readonly string[] =>
  listAt(object, key).map((item) => (isString(item) ? item : ''));

function listAt(object: JsonObject | undefined, key: string): readonly JsonValue[] {
  const list = object === undefined ? undefined : getOwn(object, key);
  return isArray(list) ? list : [];
}

/** The field of the spec and the field of a version for each shared part. */
const places = [
  ['validation', 'schema'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

/** Gives a spec without versions the one that `version` names, and each version the shared parts that it lacks. */
export const definitionVersions: NamedConversion = {
  name: 'definition-versions',
  toStored: (definition) => {
    const spec = objectAt(definition, 'spec');
    if (spec === undefined) return;
    const name = stringAt(spec, 'version');
    if (objectsAt(spec, 'versions').length === 0 && name !== '')
      spec.versions = [{ name, served: true, storage: true }];
    for (const version of objectsAt(spec, 'versions')) giveCommon(spec, version);
    for (const [common] of places) delete spec[common];
    delete spec.version;
    reviewDefaults(objectAt(spec, 'conversion'));
  },
  fromStored: (definition) => {
    const spec = objectAt(definition, 'spec');
    if (spec === undefined) return;
    const { common = {}, versions } = partVersions(objectsAt(spec, 'versions'));
    for (const [above, below] of places) {
      const value = common[below];
      if (value !== undefined && value !== null) spec[above] = value;
    }
    if (versions[0] !== undefined) spec.version = stringAt(versions[0], 'name');
    if (versions.length > 0) spec.versions = [...versions];
    // The default of v1beta1 is true.
    spec.preserveUnknownFields ??= false;
  },
};

function giveCommon(spec: JsonObject, version: JsonObject): void {
  for (const [above, below] of places) {
    const value = spec[above];
    if (value !== undefined && version[below] === undefined) version[below] = clone(value);
  }
}

/** Fills in the default review version of v1beta1. */
function reviewDefaults(conversion: JsonObject | undefined): void {
  if (conversion === undefined || stringAt(conversion, 'strategy') !== 'Webhook') return;
  if (textsAt(conversion, 'conversionReviewVersions').length > 0) return;
  conversion.conversionReviewVersions = ['v1beta1'];
}

export type Definition = DraftObject<CustomResourceDefinition>;
export type Spec = Draft<CustomResourceDefinitionSpec>;
export type Version = Draft<CustomResourceDefinitionVersion>;
export type Names = Draft<CustomResourceDefinitionNames>;
