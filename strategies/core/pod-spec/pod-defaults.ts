/** Defaults of a pod's spec that hang on other fields, which no schema can say. */
import type { JsonObject } from '../../../runtime/contract/index.js';
import { getOwn, isObject, objectAt, setOwn, stringAt } from '../../../runtime/objects/guards.js';
import { hasAt, integerAt, isTrueAt, listAt } from '../../shared/reading.js';
import { roundUpAmounts } from '../../shared/resource-list.js';
import { volumeSources } from './volume-sources.js';

/** Fills in the defaults of a spec, in place. */
export function canonicalizePodSpec(spec: JsonObject | undefined): void {
  if (!spec) return;
  // The older name of the field is served beside the newer, which counts where both are there.
  const account = stringAt(spec, 'serviceAccountName') || stringAt(spec, 'serviceAccount');
  if (account !== '') Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    for (const container of ownObjects(spec, list)) {
      defaultPullPolicy(container);
      if (list === 'ephemeralContainers') continue;
      if (isTrueAt(spec, 'hostNetwork')) defaultHostPorts(container);
      roundUpAmounts(objectAt(objectAt(container, 'resources'), 'limits'));
      roundUpAmounts(objectAt(objectAt(container, 'resources'), 'requests'));
    }
  }
  roundUpAmounts(objectAt(spec, 'overhead'));
  for (const volume of ownObjects(spec, 'volumes')) {
    if (volumeSources.every(([key]) => !hasAt(volume, key))) volume.emptyDir = {};
  }
}

/** Fills in the defaults that pods have and templates leave to their pods. */
export function canonicalizePod(spec: JsonObject | undefined): void {
  canonicalizePodSpec(spec);
  if (!spec) return;
  if (!hasAt(spec, 'enableServiceLinks')) spec.enableServiceLinks = true;
  for (const list of ['containers', 'initContainers']) {
    for (const container of ownObjects(spec, list)) defaultRequests(objectAt(container, 'resources'));
  }
}

/** The objects of a list as they stand in it, so that they can be changed. */
function ownObjects(object: JsonObject, key: string): readonly JsonObject[] {
  return listAt(object, key).filter(isObject);
}

/** An image without a tag, or with the tag `latest`, is a different one every day. */
function defaultPullPolicy(container: JsonObject): void {
  if (stringAt(container, 'imagePullPolicy') !== '') return;
  const policy = isLatest(stringAt(container, 'image')) ? 'Always' : 'IfNotPresent';
  container.imagePullPolicy = policy;
}

/** Parts of the name of an image that other parts follow after a slash. */
const nameParts = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/;
const hostPart = /^[a-zA-Z0-9.-]+(:\d+)?$/;

/** Whether an image is what `latest` stands for now; what is no name of an image is not. */
function isLatest(image: string): boolean {
  const [name = '', digest] = image.split('@', 2);
  const tag = /:([^/:]*)$/.exec(name)?.[1];
  const [first = '', ...others] = (tag === undefined ? name : name.slice(0, -tag.length - 1)).split('/');
  const isHost = others.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const parts = isHost ? others : [first, ...others];
  if ((isHost && !hostPart.test(first)) || !parts.every((part) => nameParts.test(part))) return false;
  return tag === undefined ? digest === undefined : tag === 'latest';
}

/** In the network of the node, a port of a container is one of the node. */
function defaultHostPorts(container: JsonObject): void {
  for (const port of ownObjects(container, 'ports')) {
    if (!hasAt(port, 'hostPort')) port.hostPort = integerAt(port, 'containerPort');
  }
}

/** Who is limited to some amount asks for it too, unless for another. */
function defaultRequests(resources: JsonObject | undefined): void {
  if (!resources) return;
  const limits = objectAt(resources, 'limits');
  const requests = objectAt(resources, 'requests');
  if (!limits || Object.keys(limits).length === 0) return;
  const filled = requests ?? {};
  for (const [name, amount] of Object.entries(limits)) {
    if (getOwn(filled, name) === undefined && amount !== undefined) setOwn(filled, name, amount);
  }
  resources.requests = filled;
}
