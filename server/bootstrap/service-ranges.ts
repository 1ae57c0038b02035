/** The ServiceCIDR with the address ranges from the server's options. */
import { isArray, isObject } from '../../runtime/objects/guards.js';
import { ipRangeText } from '../../runtime/objects/ip-address.js';
import { addressRecordsGate } from '../../strategies/index.js';
import { type BootstrapHook, type BringIntoLine, ensureInFirst } from './ensure-objects.js';

const name = 'kubernetes';

const versions = ['v1', 'v1beta1', 'v1alpha1'];

export const serviceBlocks: BootstrapHook = {
  name: 'start-kubernetes-service-cidr-controller',
  everySeconds: 60,
  run: async ({ client, naming, serviceRanges, featureEnabled }) => {
    if (!featureEnabled(addressRecordsGate) || serviceRanges.addresses.length === 0) return;
    const ready = {
      type: 'Ready',
      status: 'True',
      lastTransitionTime: `${new Date().toISOString().slice(0, 19)}Z`,
      reason: 'DefaultRange',
      message: 'Services get addresses of this range.',
    };
    const wanted = { metadata: { name }, spec: { cidrs: serviceRanges.addresses.map(ipRangeText) } };
    const bringIntoLine: BringIntoLine = (found) => {
      const { conditions = [] } = isObject(found.status) ? found.status : {};
      const known = isArray(conditions) ? conditions : [];
      const isKnown = known.some((condition) => isObject(condition) && condition.type === 'Ready');
      return isKnown ? undefined : { ...found, status: { conditions: [...known, ready] } };
    };
    const group = naming.rename('networking.platform.io');
    const place = { group, plural: 'servicecidrs', kind: 'ServiceCIDR' };
    await ensureInFirst(client, place, versions, [{ ...wanted, status: { conditions: [ready] } }], bringIntoLine);
  },
};
