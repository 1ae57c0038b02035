/** The objects of a request in the version that a policy or webhook is about. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  ResourceModule,
  Result,
} from '../../../runtime/contract/index.js';
import { formatGroupVersion } from '../../../runtime/objects/gvk.js';

/** The states of an object in the version in which they are seen. */
export interface SeenObjects {
  readonly object: ApiObject | undefined;
  readonly oldObject: ApiObject | undefined;
}

/** The objects of a request in another version; those of subresources with kinds of their own stay as they are. */
export async function seenAs(
  version: ResourceModule,
  { resource, object, oldObject }: AdmissionAttributes,
  { convert }: AdmissionContext,
): Promise<Result<SeenObjects>> {
  if (version === resource) return { ok: true, value: { object, oldObject } };
  const apiVersion = formatGroupVersion(version.group, version.version);
  const seen = async (one: ApiObject | undefined): Promise<Result<ApiObject | undefined>> =>
    (one && one.apiVersion !== apiVersion ? await convert(one, apiVersion) : undefined) ?? { ok: true, value: one };
  const [now, before] = await Promise.all([seen(object), seen(oldObject)]);
  if (!now.ok) return now;
  return before.ok ? { ok: true, value: { object: now.value, oldObject: before.value } } : before;
}
