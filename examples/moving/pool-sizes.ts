/** Writes the number of addresses into the status of each address pool. The default export is the controller. */
import { defineController, generationChanged, patchStatus, watch } from 'kindforge/client/node';
import { ipAddressPools } from './generated/metallb.io/v1beta1/index.js';

export default defineController({
  name: 'pool-sizes',
  watches: [watch(ipAddressPools, { when: generationChanged })],
  async reconcile(key, { cacheOf, clientOf }) {
    const pool = cacheOf(ipAddressPools).get(key);
    if (pool === undefined) return;
    const networks = pool.spec.addresses.map((text) => text.split('/'));
    const sizes = networks.map(([address = '', length]) => sizeOf(address, Number(length)));
    const total = (isV6: boolean): number =>
      sizes.filter((size) => size.isV6 === isV6).reduce((sum, { count }) => sum + count, 0);
    const status = { assignedIPv4: 0, assignedIPv6: 0, availableIPv4: total(false), availableIPv6: total(true) };
    await patchStatus(clientOf(ipAddressPools), pool, status);
  },
});

/** Counts the addresses of a network, as in `192.168.10.0` and 24. */
function sizeOf(address: string, length: number): { isV6: boolean; count: number } {
  const isV6 = address.includes(':');
  return { isV6, count: 2 ** ((isV6 ? 128 : 32) - length) };
}
