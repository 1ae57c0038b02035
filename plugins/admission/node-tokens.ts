/** Decides which tokens a node asks for: of its pods, for the audiences that their volumes name. */
import type {
  AdmissionAttributes,
  AdmissionContext,
  ApiObject,
  Failure,
  JsonObject,
} from '../../runtime/contract/index.js';
import { isStringArray, objectAt, objectsAt, stringAt } from '../../runtime/objects/guards.js';
import type { Naming } from '../../runtime/objects/names/naming.js';
import { quote } from '../../runtime/objects/printing.js';
import { notFound } from '../../runtime/objects/status.js';
import { refuse } from './define-admission-plugin.js';
import { type NodeRule, nodeNameOf } from './node-pods.js';

/** Creates the rule. `limitsAudiences` says whether audiences matter. */
export function nodeTokenRule({ rename }: Naming, limitsAudiences: () => boolean): NodeRule {
  const storage = rename('storage.platform.io');
  return (attributes, node, context) => {
    const { operation, subresource, namespace, object } = attributes;
    if (operation !== 'CREATE' || subresource !== 'token') return undefined;
    const spec = objectAt(object, 'spec');
    const bound = objectAt(spec, 'boundObjectRef');
    const name = stringAt(bound, 'name');
    if (stringAt(bound, 'apiVersion') !== 'v1' || stringAt(bound, 'kind') !== 'Pod' || name === '') {
      return refuse(attributes, 'node requested token not bound to a pod');
    }
    const uid = stringAt(bound, 'uid');
    if (uid === '') return refuse(attributes, 'node requested token with a pod binding without a uid');
    const pod = context.get('', 'pods', namespace, name);
    if (!pod) return notFound('', 'pod', name);
    if (uid !== pod.metadata.uid) {
      const why = `the UID in the bound object reference (${uid}) does not match the UID in record`;
      return refuse(attributes, `${why}. The object might have been deleted and then recreated`);
    }
    if (nodeNameOf(pod) !== node) {
      return refuse(attributes, 'node requested token bound to a pod scheduled on a different node');
    }
    return limitsAudiences() ? checkAudience(attributes, spec, pod, storage, context) : undefined;
  };
}

/** The verb that allows tokens for an audience. Rules name the audience as if it were a resource. */
const audienceVerb = 'request-serviceaccounts-token-audience';

/** Refuses an audience that no volume of the pod needs, unless the node has a right to it. */
async function checkAudience(
  attributes: AdmissionAttributes,
  spec: JsonObject | undefined,
  pod: ApiObject,
  storage: string,
  context: AdmissionContext,
): Promise<Failure | undefined> {
  const audiences = isStringArray(spec?.audiences) ? spec.audiences : [];
  const [audience = '', ...more] = audiences;
  if (more.length > 0) return refuse(attributes, 'node may only request 0 or 1 audiences');
  if (needsAudience(pod, audience, storage, context)) return undefined;
  const { user, namespace, pathName: name = '' } = attributes;
  const right = { user, verb: audienceVerb, group: '', version: 'v1', resource: audience, namespace, name };
  if (await context.authorize(right)) return undefined;
  const why = `audience ${quote(audience)} not found in pod spec volume`;
  return refuse(attributes, `${why}, ${user.name} is not authorized to request tokens for this audience`);
}

/** Returns whether a volume holds a token for an audience, or is of a driver that asks for such tokens. */
const needsAudience = (pod: ApiObject, audience: string, storage: string, context: AdmissionContext): boolean =>
  objectsAt(objectAt(pod, 'spec'), 'volumes').some((volume) => {
    const isProjected = objectsAt(objectAt(volume, 'projected'), 'sources').some((source) => {
      const token = objectAt(source, 'serviceAccountToken');
      return token !== undefined && stringAt(token, 'audience') === audience;
    });
    if (isProjected) return true;
    const name = driverOf(volume, pod, context);
    const driver = name === '' ? undefined : context.get(storage, 'csidrivers', '', name);
    const requests = objectsAt(objectAt(driver, 'spec'), 'tokenRequests');
    return requests.some((request) => stringAt(request, 'audience') === audience);
  });

/** Returns the CSI driver of a volume, or of the volume that its claim is bound to; empty if there is none. */
function driverOf(volume: JsonObject, { metadata }: ApiObject, { get }: AdmissionContext): string {
  const { name: pod = '', namespace = '' } = metadata;
  const inline = stringAt(objectAt(volume, 'csi'), 'driver');
  if (inline !== '') return inline;
  const claimName = objectAt(volume, 'ephemeral')
    ? `${pod}-${stringAt(volume, 'name')}`
    : stringAt(objectAt(volume, 'persistentVolumeClaim'), 'claimName');
  const claim = claimName === '' ? undefined : get('', 'persistentvolumeclaims', namespace, claimName);
  const bound = stringAt(objectAt(claim, 'spec'), 'volumeName');
  const persistent = bound === '' ? undefined : get('', 'persistentvolumes', '', bound);
  return stringAt(objectAt(objectAt(persistent, 'spec'), 'csi'), 'driver');
}
