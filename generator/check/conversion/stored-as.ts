/** Rules between versions with the same stored version: it must exist, and conversions must not lose data. */

import { encodeJson } from '../../../runtime/codec/json.js';
import type { JsonValue } from '../../../runtime/contract/index.js';
import { keptOf } from '../../../runtime/objects/memoize.js';
import type { Problem } from '../../diagnostics/problem.js';
import { storedVersion } from '../../model/conversion.js';
import type { ResourceModel, VersionModel } from '../../model/model.js';
import { findLosses, findRefusals, type Loss, type ProvenVersion } from './prove.js';

/** Losses by the version and the stored one. If neither has changed, nothing is proven again. */
const proven = new WeakMap<VersionModel, Proof>();

/** The result of a proof, and the version that it was made against. */
interface Proof {
  readonly stored: VersionModel;
  readonly losses: readonly Loss[];
}

/** Returns the proofs of some versions, to keep from one process to the next. */
export function keptProofs(versions: readonly VersionModel[]): ReadonlyMap<VersionModel, Proof> {
  return keptOf(proven, versions);
}

/** Takes proofs of another process. */
export function restoreProofs(proofs: ReadonlyMap<VersionModel, Proof>): void {
  for (const [version, proof] of proofs) proven.set(version, proof);
}

/** All resources by `<group>/<plural>`, and the resources without mistakes of their own. */
interface KnownResources {
  readonly all: ReadonlyMap<string, ResourceModel>;
  readonly sound: ReadonlySet<ResourceModel>;
}

/** Finds mistakes in the way a resource is stored. */
export function checkStoredAs(resource: ResourceModel, { all, sound }: KnownResources): readonly Problem[] {
  const { storedAs } = resource;
  const owner = storedAs ? all.get(`${storedAs.group}/${storedAs.plural}`) : resource;
  const version = owner && storedVersion(owner);
  if (storedAs && (!owner || owner.storedAs || owner.names.kind !== resource.names.kind)) {
    const name = storedAs.group === '' ? storedAs.plural : `${storedAs.plural}.${storedAs.group}`;
    const problem = owner?.storedAs ? 'it is stored as another resource too' : `its kind is ${owner?.names.kind}`;
    const message = owner ? `objects cannot be stored as ${name}: ${problem}` : `resource ${name} has no definition`;
    return [{ code: 'KF4032', path: ['spec', 'storedAs'], message }];
  }
  if (!owner || !version || !sound.has(owner) || resource.conversionWebhook) return [];
  const stored: ProvenVersion = { resource: owner, version };
  return resource.versions.flatMap((each, index) =>
    each === version || each.conversion?.function !== undefined || (owner.virtual && !each.conversion)
      ? []
      : lossesOf({ resource, version: each }, stored, index),
  );
}

function lossesOf(one: ProvenVersion, stored: ProvenVersion, index: number): readonly Problem[] {
  const known = proven.get(one.version);
  // Versions of a CustomResourceDefinition often lose fields on purpose.
  const find = one.resource.decoding === 'typed' ? findLosses : findRefusals;
  const losses = known?.stored === stored.version ? known.losses : find(one, stored);
  proven.set(one.version, { stored: stored.version, losses });
  const [own, other] = [nameOf(one), nameOf(stored)];
  return losses.map((loss): Problem => {
    const [from, to] = loss.of === 'this' ? [own, other] : [other, own];
    const place = {
      ...(one.version.conversion
        ? { code: 'KF4033' as const, path: ['spec', 'versions', index, 'conversion'], at: 'key' as const }
        : { code: 'KF4034' as const, path: ['spec', 'versions', index, 'name'] }),
    };
    const witness = shown(loss.witness);
    const object = `an object of ${from} with ${witness}`;
    if (loss.refusal !== undefined) {
      const suggestion = `make ${from} refuse such objects too, or convert them to objects that ${to} accepts`;
      const accepted = `${from} accepts an object with ${witness}, but ${to} refuses it`;
      const message = `${accepted}, so later writes in ${to} fail: ${loss.refusal}`;
      return { ...place, code: 'KF4044', message, suggestion };
    }
    if (loss.problem !== undefined) {
      const suggestion = 'convert such values by an expression, or make the schema refuse them';
      return {
        ...place,
        code: 'KF4043',
        message: `\`${loss.path}\` cannot be converted for ${object}: ${loss.problem}`,
        suggestion,
      };
    }
    const became = `${shown(loss.before)} comes back as ${shown(loss.after)}`;
    return {
      ...place,
      message: `\`${loss.path}\` of ${from} would be lost in ${to}: in ${object}, ${became}`,
      suggestion:
        'write in `conversion` which field it goes to, keep it in an annotation, or give the reason under `lost`',
    };
  });
}

/** Maximum number of characters of a value in a message. */
const MOST_SHOWN = 160;

/** Returns a value for a message. */
function shown(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  const text = encodeJson(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

const nameOf = ({ resource: { group }, version: { name } }: ProvenVersion): string =>
  group === '' ? name : `${group}/${name}`;
