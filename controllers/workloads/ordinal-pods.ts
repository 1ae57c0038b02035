/** The pods of a stateful set by their ordinals: their names, and how they are made together with their claims. */
import { createResourceClient, isAlreadyExists } from '../../client/index.js';
import { controlledBy } from './owned.js';
import { claims, pods } from './resources.js';
import { nameOf, revisionLabel, templateOf } from './set-revisions.js';
import type { ControllerRevision, Pod, StatefulSet } from './types.js';
import type { Work } from './work.js';

const podNameLabel = 'statefulset.platform.io/pod-name';

const podName = ({ metadata }: StatefulSet, ordinal: number): string => `${metadata.name}-${ordinal}`;

/** The ordinal that a name ends with; -1 where there is none. */
export function ordinalOf({ metadata }: Pod): number {
  const digits = /-(\d+)$/.exec(metadata.name ?? '')?.[1];
  return digits === undefined ? -1 : Number(digits);
}

/** Makes the claims of a pod that are not there, and the pod of a revision's template. */
export async function makeOrdinalPod(
  set: StatefulSet,
  ordinal: number,
  revision: ControllerRevision,
  work: Work,
): Promise<void> {
  const { client, namespace, signal, rename } = work;
  const name = podName(set, ordinal);
  const mounted = await makeClaims(set, name, work);
  const { metadata = {}, spec = {} } = templateOf(revision);
  const labels = { ...metadata.labels, [revisionLabel]: nameOf(revision), [rename(podNameLabel)]: name };
  const volumes = [
    ...(spec.volumes ?? []).filter((each) => mounted.every((one) => one.name !== each.name)),
    ...mounted,
  ];
  const pod = {
    metadata: { name, labels, annotations: metadata.annotations ?? {}, ownerReferences: [controlledBy(set)] },
    spec: { ...spec, hostname: name, subdomain: set.spec?.serviceName ?? '', volumes },
  };
  await createResourceClient(pods, client).in(namespace).create(pod, { signal });
}

/** Resolves to the volumes by which a pod mounts its claims. */
async function makeClaims({ spec = {} }: StatefulSet, pod: string, { client, namespace, signal }: Work) {
  const beside = createResourceClient(claims, client).in(namespace);
  const volumes: { name: string; persistentVolumeClaim: { claimName: string } }[] = [];
  for (const { metadata = {}, spec: wanted = {} } of spec.volumeClaimTemplates ?? []) {
    const claimName = `${metadata.name}-${pod}`;
    const { annotations = {} } = metadata;
    const labels = { ...metadata.labels, ...spec.selector?.matchLabels };
    const claim = { metadata: { name: claimName, labels, annotations }, spec: wanted };
    // The claim of an earlier pod of the name is this one's.
    await beside.create(claim, { signal }).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
    volumes.push({ name: metadata.name ?? '', persistentVolumeClaim: { claimName } });
  }
  return volumes;
}
