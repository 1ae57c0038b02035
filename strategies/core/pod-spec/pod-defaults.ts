/** Defaults of a pod's spec that depend on other fields, which no schema can say. */
import type { Container, PodSpec, ResourceRequirements } from '../../../generated/types/core/v1/types.js';
import type { Draft } from '../../../runtime/contract/index.js';
import { getOwn, setOwn } from '../../../runtime/objects/guards.js';
import { fieldsOf } from '../../shared/field-choice.js';
import { roundUpAmounts } from '../../shared/resource-list.js';
import { volumeSources } from './volume-sources.js';

/** Fills in the defaults of a spec, in place. */
export function canonicalizePodSpec(spec: Draft<PodSpec> | undefined): void {
  if (!spec) return;
  const { initContainers = [], ephemeralContainers = [], volumes = [] } = spec;
  // The older name of the field is served beside the newer, which counts where both are there.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  for (const container of [...(spec.containers ?? []), ...initContainers]) {
    defaultPullPolicy(container);
    if (spec.hostNetwork) defaultHostPorts(container);
    roundUpAmounts(container.resources?.limits);
    roundUpAmounts(container.resources?.requests);
  }
  ephemeralContainers.forEach(defaultPullPolicy);
  roundUpAmounts(spec.overhead);
  for (const volume of volumes) {
    if (fieldsOf(volumeSources).every((source) => volume[source] === undefined)) volume.emptyDir = {};
  }
}

/** Fills in the defaults that pods have and templates leave to their pods. */
export function canonicalizePod(spec: Draft<PodSpec> | undefined): void {
  canonicalizePodSpec(spec);
  if (!spec) return;
  spec.enableServiceLinks ??= true;
  for (const { resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
    if (resources) defaultRequests(resources);
}

/** An image without a tag, or with the tag `latest`, may be another one the next time. */
function defaultPullPolicy(container: Draft<Container>): void {
  container.imagePullPolicy ||= isLatest(container.image ?? '') ? 'Always' : 'IfNotPresent';
}

/** Parts of the name of an image that other parts follow after a slash. */
const nameParts = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/;
const hostPart = /^[a-zA-Z0-9.-]+(:\d+)?$/;

/** Whether an image has no tag or the tag `latest`. A text that is no name of an image has neither. */
function isLatest(image: string): boolean {
  const [name = '', digest] = image.split('@', 2);
  const tag = /:([^/:]*)$/.exec(name)?.[1];
  const [first = '', ...others] = (tag === undefined ? name : name.slice(0, -tag.length - 1)).split('/');
  const isHost = others.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const parts = isHost ? others : [first, ...others];
  if ((isHost && !hostPart.test(first)) || !parts.every((part) => nameParts.test(part))) return false;
  return tag === undefined ? digest === undefined : tag === 'latest';
}

/** In the network of the node, a port of a container is a port of the node. */
function defaultHostPorts({ ports = [] }: Draft<Container>): void {
  for (const port of ports) port.hostPort ??= port.containerPort;
}

/** A container that is limited to an amount requests it too, unless it requests another. */
function defaultRequests(resources: Draft<ResourceRequirements>): void {
  const { limits = {}, requests = {} } = resources;
  if (Object.keys(limits).length === 0) return;
  for (const [name, amount] of Object.entries(limits)) {
    if (getOwn(requests, name) === undefined) setOwn(requests, name, amount);
  }
  resources.requests = requests;
}
