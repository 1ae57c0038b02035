/** Typed plugin steps: they see the objects of one kind with the type that the generator prints for it. */
import type {
  AdmissionAnswer,
  AdmissionAttributes,
  AdmissionContext,
  AdmissionHost,
  AdmissionPlugin,
  ApiObject,
  DraftObject,
  Failure,
  FollowedObjects,
  KindType,
  Operation,
  ResourceModule,
  Result,
} from '../../runtime/contract/index.js';
import { clone } from '../../runtime/objects/clone.js';
import { equal } from '../../runtime/objects/equality.js';
import { isObject } from '../../runtime/objects/guards.js';
import {
  formatGroupVersion,
  type GroupVersion,
  groupVersionProblem,
  parseGroupVersion,
} from '../../runtime/objects/names/names.js';
import { kubernetesNaming } from '../../runtime/objects/names/naming.js';
import { internalFailure } from '../../runtime/objects/status.js';
import { become } from './define-admission-plugin.js';

/** The writes that the steps see. */
export interface AboutKind<T extends KindType> {
  /** The version in which the steps see objects, whatever the version of the request. */
  readonly apiVersion: T['apiVersion'];
  readonly kind: T['kind'];
  readonly operations: readonly Exclude<Operation, 'CONNECT'>[];
  /** Subresources that take the whole object; `''` is the object itself. Default: only the object itself. */
  readonly subresources?: readonly string[];
}

/** One write with typed objects. Fields may be missing even if the schema requires them. */
export type KindAttributes<T extends KindType> = Omit<AdmissionAttributes, 'object' | 'oldObject'> & {
  readonly object?: DraftObject<T>;
  readonly oldObject?: DraftObject<T>;
};

export interface KindSteps<T extends KindType> {
  readonly admit?: (attributes: KindAttributes<T>, context: AdmissionContext) => AdmissionAnswer;
  readonly validate?: (attributes: KindAttributes<T>, context: AdmissionContext) => AdmissionAnswer;
}

/**
 * Returns the parts of a plugin that handle one kind, for `defineAdmissionPlugin`. Objects in other versions are
 * converted before a step, and changes by `admit` are converted back.
 */
export function forKind<T extends KindType>(
  { apiVersion, kind, operations, subresources = [''] }: AboutKind<T>,
  steps: KindSteps<T>,
): Pick<AdmissionPlugin, 'handles' | 'admit' | 'validate'> {
  const untyped: unknown = steps;
  if (!isSteps(untyped)) throw new TypeError(`the steps for ${kind} are not an object`);
  const { admit, validate } = untyped;
  const { group, version } = readApiVersion(apiVersion);
  return {
    handles: (resource, operation, subresource) =>
      operations.some((one) => one === operation) &&
      subresources.includes(subresource) &&
      isOfGroup(resource, group) &&
      resource.names.kind === kind &&
      takesWhole(resource, subresource),
    ...(admit ? { admit: inVersion(version, admit) } : {}),
    ...(validate ? { validate: inVersion(version, validate) } : {}),
  };
}

/** Narrows the type. Steps differ only in the types of their objects, which nothing can check at run time. */
const isSteps = (value: unknown): value is { readonly admit?: Step; readonly validate?: Step } => isObject(value);

/** Returns whether a subresource takes the whole object. Some take other kinds, such as a Scale. */
const takesWhole = ({ subresources }: ResourceModule, name: string): boolean =>
  subresources.every((one) => one.name !== name || (one.kind === undefined && one.scale === undefined));

const inVersion =
  (version: string, step: Step): Step =>
  (attributes, context) =>
    attributes.resource.version === version
      ? step(attributes, context)
      : convertedStep(attributes, context, formatGroupVersion(attributes.resource.group, version), step);

type Step = NonNullable<AdmissionPlugin['admit']>;

/** Runs a step on the objects of a write in another version, and converts its changes back. */
async function convertedStep(
  attributes: AdmissionAttributes,
  context: AdmissionContext,
  apiVersion: string,
  step: Step,
): Promise<Failure | undefined> {
  const { object, oldObject } = attributes;
  const seen = await convert(object, apiVersion, context);
  if (seen?.ok === false) return seen.failure;
  const old = await convert(oldObject, apiVersion, context);
  if (old?.ok === false) return old.failure;
  const before = seen && clone(seen.value);
  const objects = { ...(seen ? { object: seen.value } : {}), ...(old ? { oldObject: old.value } : {}) };
  const refused = await step({ ...attributes, ...objects }, context);
  if (refused || !object || !seen || equal(seen.value, before)) return refused;
  const back = await convert(seen.value, object.apiVersion, context);
  if (back?.ok === false) return back.failure;
  if (back) become(object, back.value);
  return undefined;
}

async function convert(
  object: ApiObject | undefined,
  apiVersion: string,
  context: AdmissionContext,
): Promise<Result<ApiObject> | undefined> {
  if (!object) return undefined;
  const converted = await context.convert(object, apiVersion);
  return converted ?? { ok: false, failure: internalFailure(`${object.kind} has no version ${apiVersion}`) };
}

/** Reads an `apiVersion`. Throws if it is malformed, because code wrote it, not a user. */
export function readApiVersion(apiVersion: string): GroupVersion {
  const read = parseGroupVersion(apiVersion);
  if (!read) throw new TypeError(groupVersionProblem(apiVersion));
  return read;
}

/**
 * Returns whether a resource belongs to a group. Built-in groups have their platform names here, whichever naming is
 * served.
 */
export const isOfGroup = (resource: ResourceModule, group: string): boolean =>
  resource.group === group || resource.group === kubernetesNaming.rename(group);

/**
 * Follows all objects of a resource, for a plugin's `start`. Converts stored objects to the version of `T`. Throws if
 * the resource does not have that version, or if only a webhook could convert to it.
 */
export function objectsOf<T extends KindType>(
  { resources, objects }: AdmissionHost,
  apiVersion: T['apiVersion'],
  plural: string,
): FollowedObjects<DraftObject<T>> {
  const { group, version } = readApiVersion(apiVersion);
  const stored = resources.all().find((one) => isOfGroup(one, group) && one.names.plural === plural && one.storage);
  const followed: unknown = objects(stored?.group ?? group, plural, version);
  if (isFollowed<T>(followed)) return followed;
  throw new TypeError(`${plural} cannot be followed`);
}

/** Narrows the type. Followed objects differ only in their type, which nothing can check at run time. */
const isFollowed = <T extends KindType>(value: unknown): value is FollowedObjects<DraftObject<T>> => isObject(value);
