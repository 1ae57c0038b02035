/** An APIService for each served built-in version. Every start creates them; nothing restores them later. */
import { discoverVersions } from '../../client/index.js';
import { equal } from '../../runtime/objects/equality.js';
import { type BootstrapHook, type BringIntoLine, ensureObjects, type WantedObject } from './ensure-objects.js';

/** The lowest priority of a group, and the priority of each of its versions. */
type Priorities = readonly [group: number, versions: Readonly<Record<string, number>>];

/** The priorities by group, as in release 1.27. Groups of later releases follow. */
const builtInPriorities: ReadonlyMap<string, Priorities> = new Map<string, Priorities>([
  ['', [18000, { v1: 1 }]],
  ['apps', [17800, { v1: 15 }]],
  ['events.platform.io', [17750, { v1: 15, v1beta1: 5 }]],
  ['authentication.platform.io', [17700, { v1: 15, v1beta1: 9, v1alpha1: 1 }]],
  ['authorization.platform.io', [17600, { v1: 15 }]],
  ['autoscaling', [17500, { v1: 15, v2: 30, v2beta1: 9, v2beta2: 1 }]],
  ['batch', [17400, { v1: 15, v1beta1: 9, v2alpha1: 9 }]],
  ['certificates.platform.io', [17300, { v1: 15, v1beta1: 9, v1alpha1: 1 }]],
  ['networking.platform.io', [17200, { v1: 15, v1beta1: 9, v1alpha1: 1 }]],
  ['policy', [17100, { v1: 15, v1beta1: 9 }]],
  ['rbac.authorization.platform.io', [17000, { v1: 15 }]],
  ['storage.platform.io', [16800, { v1: 15, v1beta1: 9, v1alpha1: 1 }]],
  ['apiextensions.platform.io', [16700, { v1: 15 }]],
  ['admissionregistration.platform.io', [16700, { v1: 15, v1beta1: 12, v1alpha1: 9 }]],
  ['scheduling.platform.io', [16600, { v1: 15 }]],
  ['coordination.platform.io', [16500, { v1: 15, v1beta1: 13, v1alpha2: 12 }]],
  ['node.platform.io', [16300, { v1: 15, v1beta1: 9, v1alpha1: 1 }]],
  ['discovery.platform.io', [16200, { v1: 15, v1beta1: 12 }]],
  ['flowcontrol.platform.io', [16100, { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12, v1alpha1: 9 }]],
  ['internal.apiserver.platform.io', [16000, { v1alpha1: 9 }]],
  ['resource.platform.io', [15900, { v1alpha2: 9 }]],
  ['storagemigration.platform.io', [15800, { v1alpha1: 9 }]],
]);

/** The label that says who maintains an APIService; `onstart` marks built-in versions. */
const managedLabel = 'kube-aggregator.platform.io/automanaged';

export const apiServices: BootstrapHook = {
  name: 'apiservice-registration-controller',
  async run({ client, naming }) {
    const group = naming.rename('apiregistration.platform.io');
    const label = naming.rename(managedLabel);
    const versions = await discoverVersions(client);
    const served = new Set(versions.map((each) => `${each.group}/${each.version}`));
    const wanted = [...builtInPriorities].flatMap(([name, [groupPriorityMinimum, priorities]]) =>
      Object.entries(priorities).flatMap(([version, versionPriority]): readonly WantedObject[] => {
        const of = naming.rename(name);
        if (!served.has(`${of}/${version}`)) return [];
        const spec = { ...(of === '' ? {} : { group: of }), version, groupPriorityMinimum, versionPriority };
        return [{ metadata: { name: `${version}.${of}`, labels: { [label]: 'onstart' } }, spec }];
      }),
    );
    const bringIntoLine: BringIntoLine = (found, { spec = {} }) =>
      found.metadata.labels?.[label] !== 'onstart' || equal(found.spec ?? {}, spec) ? undefined : { ...found, spec };
    await ensureObjects(
      client,
      { group, version: 'v1', plural: 'apiservices', kind: 'APIService' },
      wanted,
      bringIntoLine,
    );
  },
};
