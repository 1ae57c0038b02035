/** A plugin's step about a write in another version than the request's. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  AdmissionPlugin,
  ApiObject,
  Failure,
  Result,
} from '../../../runtime/contract/index.js';
import { clone } from '../../../runtime/objects/clone.js';
import { equal } from '../../../runtime/objects/equality.js';
import { internalFailure } from '../../../runtime/objects/status.js';
import { become } from '../become.js';

/** `admit` or `validate` of a plugin. */
export type Step = NonNullable<AdmissionPlugin['admit']>;

/** Has a step see the objects of a write in a version, and brings what it changes back into that of the request. */
export async function convertedStep(
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
