/** The review of a pod's images that a webhook is asked for, and what it says. */
import type { AdmissionAttributes, JsonObject } from '../../../runtime/contract/index.js';
import { isStringMap, objectAt, stringAt } from '../../../runtime/objects/guards.js';
import { readStatus } from '../../webhook/read-status.js';
import { objectsAt } from '../matching/match-resources.js';

/** The images, with the annotations of the pod that are meant for the webhook: those whose keys contain `part`. */
export function imagesOf({ object, namespace, subresource }: AdmissionAttributes, part: string): JsonObject {
  const spec = objectAt(object, 'spec');
  const lists = subresource === 'ephemeralcontainers' ? ['ephemeralContainers'] : ['containers', 'initContainers'];
  const containers = lists.flatMap((list) => objectsAt(spec, list)).map((one) => ({ image: stringAt(one, 'image') }));
  const annotations = Object.entries(object?.metadata.annotations ?? {}).filter(([key]) => key.includes(part));
  return {
    containers,
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    namespace,
  };
}

/** The webhook's opinion of the images. */
export interface ImageOpinion {
  readonly allowed: boolean;
  /** Empty where it gives none. */
  readonly reason: string;
  readonly auditAnnotations: Readonly<Record<string, string>>;
}

export type ReadOpinion =
  | { readonly ok: true; readonly opinion: ImageOpinion }
  | { readonly ok: false; readonly problem: string };

export function readOpinion(answer: string, apiVersion: string): ReadOpinion {
  const read = readStatus(answer, 'ImageReview', apiVersion);
  if (!read.ok) return read;
  const { status } = read;
  const notes = status?.auditAnnotations;
  return {
    ok: true,
    opinion: {
      allowed: status?.allowed === true,
      reason: stringAt(status, 'reason'),
      auditAnnotations: isStringMap(notes) ? notes : {},
    },
  };
}
