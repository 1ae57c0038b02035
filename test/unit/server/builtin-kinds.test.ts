import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubernetesNaming } from '../../../runtime/objects/names/naming.js';
import { type ApiServer, attributeReader, createServer, defineConverter } from '../../../runtime/server/index.js';
import { memoryBackend, openStore } from '../../../runtime/storage/index.js';
import { builtinKinds } from '../../../server/builtin-kinds.js';

const kinds = builtinKinds(kubernetesNaming);

describe('a server of the built-in kinds', () => {
  let server: ApiServer;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const { modules, handlers, conversions } = kinds;
    const readAttributes = attributeReader(modules, kubernetesNaming, handlers, conversions);
    const store = await openStore({ backend: memoryBackend(), readAttributes });
    close = () => store.close();
    server = createServer({ ...kinds, naming: kubernetesNaming, store, productVersion: '1.0.0' });
  });
  afterAll(() => close());

  it('has their resources, and their handlers', () => {
    expect(server.registry.find('apps', 'v1', 'deployments')).toBeDefined();
    const reviews = server.registry.find('authorization.k8s.io', 'v1', 'selfsubjectaccessreviews');
    expect(reviews?.virtualHandlers.size).toBeGreaterThan(0);
  });
});

it('converts objects of built-in kinds', async () => {
  const convert = defineConverter({ ...kinds, naming: kubernetesNaming });
  const converted = await convert({ apiVersion: 'extensions/v1beta1', kind: 'Ingress', metadata: { name: 'a' } });
  expect(converted).toMatchObject({ ok: true, value: { object: { apiVersion: 'networking.k8s.io/v1' } } });
});
