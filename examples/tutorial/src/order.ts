/** Orders a database, and lists all of them. */
import { isAlreadyExists } from 'kindforge/client';
import { loadKubeconfig } from 'kindforge/client/node';
import { createClient } from '../generated/client.js';

const api = createClient({ kubeconfig: loadKubeconfig({ path: '.kindforge/data/credentials/kubeconfig' }) });
const databases = api.data.v1.databases.in('default');

try {
  await databases.create({ metadata: { name: 'orders' }, spec: { engine: 'postgres' } });
} catch (error) {
  if (!isAlreadyExists(error)) throw error;
}
for (const { metadata, spec } of (await databases.list()).items) {
  console.log(`${metadata.name}: ${spec.engine}, ${spec.sizeGb} GB`);
}
