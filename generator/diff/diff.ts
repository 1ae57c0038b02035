/** Compares two sides and judges every difference: the gate of `kindforge diff` and `check`. */
import type { JsonObject } from '../../runtime/contract/index.js';
import { formatGroupVersion } from '../../runtime/objects/names/names.js';
import { numberFields } from '../lock/lock.js';
import { type PlannedVersion, planModel } from '../lock/plan-model.js';
import type { Model, ProtobufLock, ResourceModel } from '../model/model.js';
import { type ComparedResource, compareModels, nameOf } from './compare/compare-models.js';
import type { DiffedVersion, Difference, Prover } from './difference.js';
import { withExample } from './example.js';
import type { Finding } from './finding.js';
import { createProver, type ProverOptions } from './proof/index.js';
import { judge } from './rules/judge.js';
import type { Definitions } from './rules/ruling.js';
import { createPlaces } from './sides/places.js';
import type { Side } from './sides/side.js';

/** The result of comparing two sides. */
export interface Diffed {
  /** By resource, version and the order of the definitions. */
  readonly findings: readonly Finding[];
  /** Resources that were compared, and how many of them differ. */
  readonly resources: number;
  readonly changed: number;
}

export interface DiffOptions extends ProverOptions {
  /** Called for each resource that differs, for progress. */
  readonly onResource?: (done: number, total: number, name: string) => void;
}

/** Judges all differences between two sides. Costs almost nothing for equal parts. */
export function diffSides(old: Side, next: Side, options: DiffOptions = {}): Diffed {
  const compared = within(compareModels(old.definitions.model, next.definitions.model), old, next);
  const wire = compareWire(numbered(old), numbered(next));
  const place = { old: createPlaces(old), new: createPlaces(next) };
  const findings: Finding[] = [];
  compared.forEach((resource, index) => {
    options.onResource?.(index + 1, compared.length, resource.name);
    for (const finding of judgeResource(resource, options)) findings.push(placed(finding, resource, place));
  });
  const resources = new Map(next.definitions.model.resources.map((resource) => [nameOf(resource), resource]));
  for (const difference of wire) {
    const resource = resources.get(difference.resource);
    const finding = judge(difference, {}, () => undefined);
    findings.push(resource === undefined ? finding : { ...finding, new: place.new(difference, resource) });
  }
  return { findings, resources: resources.size, changed: compared.length };
}

const numbered = ({ definitions, lock }: Side): Parameters<typeof compareWire>[0] => ({
  model: definitions.model,
  ...(lock === undefined ? {} : { lock }),
});

/** Ignores definitions that only one side has: a server also has definitions of others, and a file is one of many. */
function within(compared: readonly ComparedResource[], old: Side, next: Side): readonly ComparedResource[] {
  const isPart = old.extent === 'server' || (next.extent === 'file' && old.extent !== 'file');
  return isPart ? compared.filter((resource) => resource.new !== undefined) : compared;
}

function* judgeResource(resource: ComparedResource, options: ProverOptions): Generator<Finding> {
  const { old, new: next } = resource;
  for (const difference of resource.differences) {
    const definitions = definitionsOf(difference, old, next);
    yield withExample(
      judge(difference, definitions, () => undefined),
      definitions,
    );
  }
  for (const { old: was, new: is, differences } of resource.versions) {
    let prover: Prover | undefined;
    const ask = (): Prover => {
      const known = prover ?? sound(createProver(was, ofKind(is, was), { ...options, ...objectsOf(was, options) }));
      prover = known;
      return known;
    };
    for (const difference of differences) {
      const definitions = { old, new: next, oldVersion: was.version, newVersion: is.version };
      yield withExample(named(judge(difference, definitions, ask), was), definitions);
    }
  }
}

/** Wraps a prover for definitions that were not checked: the verdict is undecided if a difference cannot be tried. */
function sound(prover: Prover): Prover {
  return {
    judge: (difference) => {
      try {
        return prover.judge(difference);
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        return {
          kind: 'undecided',
          tried: 0,
          reason: `a definition has errors, as kindforge check reports: ${problem}`,
        };
      }
    },
    newlySeen: (difference) => {
      try {
        return prover.newlySeen(difference);
      } catch {
        return undefined;
      }
    },
    ownedOtherwise: (difference) => {
      try {
        return prover.ownedOtherwise(difference);
      } catch {
        return { tried: 0 };
      }
    },
  };
}

/** Returns a version under the old names: a new kind is a separate difference, and fields do not depend on it. */
function ofKind(version: DiffedVersion, { resource }: DiffedVersion): DiffedVersion {
  return { ...version, resource: { ...version.resource, names: resource.names } };
}

/** Returns a finding with kind and version in its witnesses, as a client would write them. */
function named(finding: Finding, { resource, version }: DiffedVersion): Finding {
  const head = { apiVersion: formatGroupVersion(resource.group, version.name), kind: resource.names.kind };
  const withHead = (object: JsonObject): JsonObject => ({ ...object, ...head });
  const witnesses = finding.witnesses.map((witness) => ({ ...witness, object: withHead(witness.object) }));
  return { ...finding, witnesses };
}

/** Returns the user's objects of a version, if there are any. */
function objectsOf({ resource, version }: DiffedVersion, { objects }: ProverOptions): Pick<ProverOptions, 'objects'> {
  if (objects === undefined) return {};
  const apiVersion = formatGroupVersion(resource.group, version.name);
  const isOf = (object: JsonObject): boolean => object.apiVersion === apiVersion && object.kind === resource.names.kind;
  return { objects: objects.filter(isOf) };
}

function definitionsOf(
  { version }: Difference,
  old: ResourceModel | undefined,
  next: ResourceModel | undefined,
): Definitions {
  const find = (resource: ResourceModel | undefined) => resource?.versions.find(({ name }) => name === version);
  return { old, new: next, oldVersion: find(old), newVersion: find(next) };
}

type Places = Readonly<Record<'old' | 'new', ReturnType<typeof createPlaces>>>;

function placed(finding: Finding, { old, new: next }: ComparedResource, place: Places): Finding {
  return {
    ...finding,
    ...(old === undefined ? {} : { old: place.old(finding.difference, old) }),
    ...(next === undefined ? {} : { new: place.new(finding.difference, next) }),
  };
}

/** The definitions of one side, and the field numbers that it promises, if any. */
interface NumberedSide {
  readonly model: Model;
  readonly lock?: ProtobufLock;
}

/**
 * Returns the differences of field numbers, each at the first resource with the message. Returns none if the old side
 * promises no numbers.
 */
export function compareWire(old: NumberedSide, next: NumberedSide): readonly Difference[] {
  if (old.lock === undefined) return [];
  const planned = planModel(next.model).filter(({ resource }) => resource.decoding === 'typed');
  const owners = ownersOf(planned);
  return [...changedTypes(old.lock, planned), ...changedNumbers(old.lock, next.lock)].flatMap((change) => {
    const owner = owners.get(change.message);
    if (owner === undefined) return [];
    const about = { resource: nameOf(owner.resource), version: owner.version.name, keyword: 'protobuf' };
    return [{ ...about, path: `${change.message}.${change.field}`, old: change.was, new: change.becomes }];
  });
}

interface Change {
  readonly message: string;
  readonly field: string;
  readonly was: string;
  readonly becomes: string;
}

function ownersOf(planned: readonly PlannedVersion[]): ReadonlyMap<string, PlannedVersion> {
  const owners = new Map<string, PlannedVersion>();
  for (const version of planned) {
    for (const { id } of version.messages) if (!owners.has(id)) owners.set(id, version);
  }
  return owners;
}

function changedTypes(lock: ProtobufLock, planned: readonly PlannedVersion[]): readonly Change[] {
  const messages = planned.flatMap((version) => version.messages);
  return numberFields(lock, messages).broken.map(({ message, field, was, becomes }) => ({
    message,
    field,
    was,
    becomes,
  }));
}

/** Finds numbers that were edited in the lock, or given to another field. */
function changedNumbers(old: ProtobufLock, next: ProtobufLock | undefined): readonly Change[] {
  if (next === undefined) return [];
  return [...old].flatMap(([message, { fields }]) => {
    const now = next.get(message)?.fields ?? new Map();
    const byNumber = new Map([...now].map(([name, [number]]) => [number, name]));
    return [...fields].flatMap(([field, [number]]): Change[] => {
      const is = now.get(field)?.[0] ?? number;
      const other = byNumber.get(number);
      if (is === number && (other === undefined || other === field)) return [];
      const becomes = is === number ? `${number} of ${String(other)}` : String(is);
      return [{ message, field, was: String(number), becomes }];
    });
  });
}
