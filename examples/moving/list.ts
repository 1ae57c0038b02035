/** Prints all address pools: `npx tsx examples/moving/list.ts <kubeconfig>`. */
import { loadKubeconfig } from 'kindforge/client/node';
import { createClient } from './generated/client.js';

const api = createClient({ kubeconfig: loadKubeconfig({ path: process.argv[2] ?? '' }) });
const { items } = await api.metallb.v1beta1.ipAddressPools.list();
for (const { metadata, spec } of items) console.log(`${metadata.name}: ${spec.addresses.join(', ')}`);
