/** An APIService for each built-in version that is served: made at every start, and left alone in between. */
import { discoverVersions } from '../../../client/index.js';
import { equal } from '../../../runtime/objects/equality.js';
import { type BringIntoLine, ensureObjects, type WantedObject } from '../ensure-objects.js';
import type { BootstrapHook } from '../hook.js';
import { builtInPriorities } from './priorities.js';

/** Names who keeps an APIService; `onstart` are those of built-in versions. */
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
