/** After a plugin changes an object, the server adds defaults, removes unknown fields and validates the object. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readServeOptions } from '../../../bin/flags/serve-options.js';
import type { AdmissionPlugin, JsonObject } from '../../../runtime/contract/index.js';
import { isArray, isObject, objectAt } from '../../../runtime/objects/guards.js';
import { startServer } from '../../../server/index.js';
import { ask } from '../../support/ask.js';
import { usualFlags } from '../../support/serving.js';

const plugin: AdmissionPlugin = {
  name: 'MorePorts',
  handles: (resource) => resource.names.plural === 'services',
  admit({ object, namespace, name }) {
    if (`${namespace}/${name}` === 'default/kubernetes') return undefined;
    const ports = objectAt(object, 'spec')?.ports;
    if (isArray(ports)) ports.push({ port: 81, name: 'more', nonsense: 1 });
    if (object) object.nonsense = true;
    return undefined;
  },
};

let running: Awaited<ReturnType<typeof start>>;
const start = () =>
  startServer({
    ...readServeOptions({ ...usualFlags, naming: 'kubernetes', controllers: 'none', allowEveryone: true }),
    admission: { plugins: [plugin] },
  });
beforeAll(async () => {
  running = await start();
});
afterAll(() => running.stop());

const write = async (method: string, path: string, body: object): Promise<JsonObject> =>
  (await ask(running, method, `/api/v1/namespaces/default/services${path}`, body)).body;

const one = { port: 80, name: 'one', protocol: 'TCP', targetPort: 80 };
const more = { port: 81, name: 'more', protocol: 'TCP', targetPort: 81 };

it('in a create and in an update', async () => {
  const created = await write('POST', '', { metadata: { name: 's' }, spec: { ports: [{ port: 80, name: 'one' }] } });
  expect(objectAt(created, 'spec')?.ports).toEqual([one, more]);
  expect(created).not.toHaveProperty('nonsense');
  const changed = await write('PATCH', '/s', { spec: { ports: [{ port: 80, name: 'one' }] } });
  const ports = objectAt(changed, 'spec')?.ports;
  expect(isArray(ports) && ports.map((port) => isObject(port) && port.nonsense)).toEqual([undefined, undefined]);
  expect(changed).not.toHaveProperty('nonsense');
});
