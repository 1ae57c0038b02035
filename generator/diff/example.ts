/** Makes witnesses of breaks outside schemas: objects of a removed version, or at another path. */
import { formatGroupVersion } from '../../runtime/objects/names/names.js';
import type { DefinitionAnswer, DiffedVersion, Difference, Witness } from './difference.js';
import type { Finding } from './finding.js';
import { Definition, partsOf } from './proof/definition.js';
import { createProver } from './proof/index.js';
import type { Definitions } from './rules/ruling.js';

/** Adds an object of the old definition to a break without an object, if an object can show it. */
export function withExample(finding: Finding, definitions: Definitions): Finding {
  const { severity, witnesses, difference } = finding;
  if (severity !== 'break' || witnesses.length > 0) return finding;
  const witness = witnessOf(difference, definitions);
  return witness === undefined ? finding : { ...finding, witnesses: [witness] };
}

/** Returns the effect on writers of such an object, who notice the break first. */
const effect = 'writers';

function witnessOf(difference: Difference, definitions: Definitions): Witness | undefined {
  const old = oldVersion(difference, definitions);
  if (old === undefined) return undefined;
  const refuse = refusals[difference.keyword];
  if (refuse !== undefined) {
    const example = exampleOf(old);
    return example && { effect, ...example, new: { accepted: false, causes: [refuse(difference, old)] } };
  }
  const { new: next, newVersion } = definitions;
  const isNewStatus =
    difference.keyword === 'subresources' && difference.path === 'status' && difference.old === undefined;
  if (!isNewStatus || next === undefined || newVersion === undefined) return undefined;
  const example = exampleOf(old, 'status');
  return example && { effect, ...example, new: answer({ resource: next, version: newVersion }, example) };
}

/** The answers of a server that no longer serves the object, by the keyword of the difference. */
const refusals: Readonly<Record<string, (difference: Difference, old: DiffedVersion) => string>> = {
  resource: ({ resource }) => `404: the resource does not exist: ${resource}`,
  versions: ({ resource, version }) => `404: ${resource} has no version ${version}`,
  served: ({ resource, version }) => `404: ${resource} is not served in version ${version}`,
  scope: ({ resource, new: is }) =>
    `404: ${resource} is ${is === 'Cluster' ? 'in no namespace' : 'in namespaces only'}`,
  kind: ({ new: is }, { resource }) => `400: the kind is ${resource.names.kind}, and should be ${String(is)}`,
};

/** Returns the version with the broken objects; for a difference of the resource, the first that is served. */
function oldVersion({ version: name }: Difference, { old, oldVersion: known }: Definitions): DiffedVersion | undefined {
  if (old === undefined) return undefined;
  const version = known ?? (name === undefined ? old.versions.find(({ served }) => served) : undefined);
  return version && { resource: old, version };
}

/**
 * Returns the smallest object that a version accepts, with a field if one is given: a proof that the schema accepts
 * anything.
 */
function exampleOf(old: DiffedVersion, field?: string): Pick<Witness, 'object' | 'old'> | undefined {
  const { schema } = old.version;
  const required = [...(schema.required ?? []), ...(field === undefined ? [] : [field])];
  const asked: DiffedVersion = { ...old, version: { ...old.version, schema: { ...schema, required } } };
  const none: DiffedVersion = { ...old, version: { ...old.version, schema: { ...asked.version.schema, not: {} } } };
  const about = { resource: old.resource.names.plural, path: '', node: [] };
  const verdict = createProver(asked, none).judge({ ...about, keyword: 'not', new: {} });
  if (verdict.kind !== 'break' || verdict.witness === undefined) return undefined;
  const { group, names } = old.resource;
  const head = { apiVersion: formatGroupVersion(group, old.version.name), kind: names.kind };
  const object = { ...verdict.witness.object, ...head };
  return { object, old: answer(old, { object }) };
}

function answer(of: DiffedVersion, { object }: Pick<Witness, 'object'>): DefinitionAnswer {
  const given = new Definition(partsOf(of)).create(object);
  return given.accepted ? { accepted: true, object: given.object } : { accepted: false, causes: given.causes };
}
