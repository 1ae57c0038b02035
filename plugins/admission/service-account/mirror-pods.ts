/** Pods that a node shows of what it runs by itself: they refer to no accounts and no secrets. */
import type { AdmissionAttributes, ApiObject, Failure } from '../../../runtime/contract/index.js';
import { objectAt, objectsAt, stringAt } from '../../../runtime/objects/guards.js';
import { referencesOf } from '../../authorization/node/pod-references.js';
import { refuse } from '../refuse.js';

export function checkMirrorPod(attributes: AdmissionAttributes, pod: ApiObject): Failure | undefined {
  const spec = objectAt(pod, 'spec') ?? {};
  if (stringAt(spec, 'serviceAccountName') !== '') {
    return refuse(attributes, 'a mirror pod may not reference service accounts');
  }
  if (referencesOf(spec, '').some(([resource]) => resource === 'secrets')) {
    return refuse(attributes, 'a mirror pod may not reference secrets');
  }
  const sources = objectsAt(spec, 'volumes').flatMap((volume) => objectsAt(objectAt(volume, 'projected'), 'sources'));
  return sources.some((source) => objectAt(source, 'serviceAccountToken'))
    ? refuse(attributes, 'a mirror pod may not use ServiceAccountToken volume projections')
    : undefined;
}
