/** Converts definitions from and to v1beta1, which writes the common parts of all versions once. */
import type { JsonObject, NamedConversion } from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { objectAt, stringAt } from '../../runtime/objects/guards.js';
import { objectsAt, textsAt } from '../shared/reading.js';
import { partVersions } from './definitions/common-parts.js';

/** The field of the spec for each common part, and the field of a version for it. */
const places = [
  ['validation', 'schema'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

/** A spec without versions has the one that `version` names; each version that lacks a common part is given it. */
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
    // In v1beta1 its default is true.
    spec.preserveUnknownFields ??= false;
  },
};

function giveCommon(spec: JsonObject, version: JsonObject): void {
  for (const [above, below] of places) {
    const value = spec[above];
    if (value !== undefined && version[below] === undefined) version[below] = clone(value);
  }
}

/** The default review version of v1beta1. */
function reviewDefaults(conversion: JsonObject | undefined): void {
  if (conversion === undefined || stringAt(conversion, 'strategy') !== 'Webhook') return;
  if (textsAt(conversion, 'conversionReviewVersions').length > 0) return;
  conversion.conversionReviewVersions = ['v1beta1'];
}
