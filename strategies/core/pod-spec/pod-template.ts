/** Pod templates: completed and checked like pods. */
import type { Pod } from '../../../generated/core/v1/pods/types.js';
import type {
  Container,
  PodSpec,
  PodTemplateSpec,
  ResourceRequirements,
} from '../../../generated/types/core/v1/types.js';
import type { Draft, DraftObject, FieldError } from '../../../runtime/contract/index.js';
import { forbidden } from '../../../runtime/objects/field-error.js';
import { getOwn, setOwn } from '../../../runtime/objects/guards.js';
import { validateAnnotations, validateLabels } from '../../../runtime/objects/names/metadata-rules.js';
import type { Naming } from '../../../runtime/objects/names/naming.js';
import { fieldsOf, firstErrors } from '../../shared/field-checks.js';
import { roundUpAmounts } from '../../shared/resources.js';
import type { Serving } from '../../shared/serving.js';
import { dropDeviceClaims } from '../claim-spec.js';
import { checkPodAnnotations, dropOldInitContainers } from './pod-annotations.js';
import { defaultPodRequests } from './pod-resources.js';
import { validatePodSpec } from './pod-spec.js';
import { podSpecWarnings } from './pod-warnings.js';
import { volumeSources } from './volume-sources.js';

type PodDraft = DraftObject<Pod>;

/** Fills in the defaults that pods have but templates do not. */
export function canonicalizePod({ metadata, spec }: PodDraft, names: Naming): void {
  dropOldInitContainers(metadata, names);
  canonicalizePodSpec(spec, true);
  if (!spec) return;
  spec.enableServiceLinks ??= true;
  // A node agent can only wait for some time; in templates this is a warning.
  if (Number(spec.terminationGracePeriodSeconds) < 0) spec.terminationGracePeriodSeconds = 1;
  for (const { resources } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])])
    if (resources) defaultRequests(resources);
  defaultPodRequests(spec);
}

/** Fills in the defaults of a spec, in place. `withHostPorts`: also ports of the node. */
function canonicalizePodSpec(spec: Draft<PodSpec> | undefined, withHostPorts: boolean): void {
  if (!spec) return;
  const { initContainers = [], ephemeralContainers = [], volumes = [] } = spec;
  // The older name of the field is served too; the newer one wins.
  const account = spec.serviceAccountName || spec.serviceAccount;
  if (account) Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  for (const container of [...(spec.containers ?? []), ...initContainers]) {
    defaultPullPolicy(container);
    if (spec.hostNetwork && withHostPorts) defaultHostPorts(container);
    roundUpAmounts(container.resources?.limits);
    roundUpAmounts(container.resources?.requests);
  }
  ephemeralContainers.forEach(defaultPullPolicy);
  roundUpAmounts(spec.overhead);
  roundUpAmounts(spec.resources?.limits);
  roundUpAmounts(spec.resources?.requests);
  for (const volume of volumes) {
    dropDeviceClaims(volume.ephemeral?.volumeClaimTemplate?.spec);
    if (fieldsOf(volumeSources).every((source) => volume[source] === undefined)) volume.emptyDir = {};
  }
}

/** An image without a tag or with the tag `latest` is pulled each time, because it may change. */
function defaultPullPolicy(container: Draft<Container>): void {
  container.imagePullPolicy ||= isLatest(container.image ?? '') ? 'Always' : 'IfNotPresent';
}

/** A part of an image name before a slash. */
const nameParts = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/;
const hostPart = /^[a-zA-Z0-9.-]+(:\d+)?$/;

/** Returns whether an image has no tag or the tag `latest`. A malformed name has neither. */
function isLatest(image: string): boolean {
  const [name = '', digest] = image.split('@', 2);
  const tag = /:([^/:]*)$/.exec(name)?.[1];
  const [first = '', ...others] = (tag === undefined ? name : name.slice(0, -tag.length - 1)).split('/');
  const isHost = others.length > 0 && (/[.:]/.test(first) || first === 'localhost');
  const parts = isHost ? others : [first, ...others];
  if ((isHost && !hostPart.test(first)) || !parts.every((part) => nameParts.test(part))) return false;
  return tag === undefined ? digest === undefined : tag === 'latest';
}

/** On the node's network, a container port is a port of the node. */
function defaultHostPorts({ ports = [] }: Draft<Container>): void {
  for (const port of ports) port.hostPort ??= port.containerPort;
}

/** By default, a container requests as much as its limit. */
function defaultRequests(resources: Draft<ResourceRequirements>): void {
  const { limits = {}, requests = {} } = resources;
  if (Object.keys(limits).length === 0) return;
  for (const [name, amount] of Object.entries(limits)) {
    if (getOwn(requests, name) === undefined) setOwn(requests, name, amount);
  }
  resources.requests = requests;
}

export type PodTemplate = Draft<PodTemplateSpec>;

/** Fills in the defaults of a template that the schema cannot express, and drops annotations without a meaning. */
export function canonicalizePodTemplate(template: PodTemplate | undefined, { names, release }: Serving): void {
  dropOldInitContainers(template?.metadata, names);
  canonicalizePodSpec(template?.spec, !release.does('hostPortsOfPodsOnly'));
}

/** Checks a template; `path` is its own path, as in `spec.template`. */
export function validatePodTemplate(
  template: PodTemplate | undefined,
  path: string,
  serving: Serving,
): readonly FieldError[] {
  const { metadata, spec = {} } = template ?? {};
  const annotationsPath = annotationsOf(path);
  return [
    ...templateMetadataErrors(template, path),
    ...validatePodSpec(spec, `${path}.spec`, { ...serving, annotations: metadata?.annotations, annotationsPath }),
    ...(spec.ephemeralContainers === undefined
      ? []
      : [forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template')]),
  ];
}

const annotationsOf = (path: string): string => `${path}.annotations`;

/** Checks the annotations that configure the template's pods. */
export const templateAnnotationErrors = (
  { metadata, spec = {} }: PodTemplate = {},
  path: string,
  serving: Serving,
): readonly FieldError[] =>
  firstErrors(checkPodAnnotations(metadata?.annotations ?? {}, spec, annotationsOf(path), serving));

/** Checks labels and annotations of a template. */
export function templateMetadataErrors(template: PodTemplate | undefined, path: string): readonly FieldError[] {
  const { labels = {}, annotations = {} } = template?.metadata ?? {};
  return [...validateLabels(labels, `${path}.labels`), ...validateAnnotations(annotations, `${path}.annotations`)];
}

/** Warns about the pods of a template; `path` is the template's own path. */
export const podTemplateWarnings = (
  template: PodTemplate | undefined,
  path: string,
  serving: Serving,
): readonly string[] =>
  podSpecWarnings(template?.spec ?? {}, `${path}.spec`, { ...serving, annotations: template?.metadata?.annotations });
