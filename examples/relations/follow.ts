/** Follows the reference of an environment to its project. Then tries a host that another environment has. */
import { isInvalid } from 'kindforge/client';
import { createClient } from './generated/client.js';

const api = createClient({ baseUrl: process.argv[2] ?? 'http://127.0.0.1:8080' });
const environments = api.work.v1.environments;

const live = await environments.in('default').get('live');
const project = await environments.follow(live).project();
console.log(`${live.metadata.name} runs ${project?.spec?.title}`);

try {
  const spec = { project: 'garden', host: live.spec.host };
  await environments.in('default').create({ metadata: { name: 'copy' }, spec });
} catch (error) {
  if (!isInvalid(error)) throw error;
  console.log(error.message);
}
