/** StorageObjectInUseProtection: new volumes and claims are held, once. */
import { describe, expect, it } from 'vitest';
import { defineStorageObjectInUseProtection } from '../../../../plugins/index.js';
import { kubernetesNaming, platformNaming } from '../../../../runtime/objects/naming.js';
import { runPlugin } from '../../../support/admission-suite.js';
import { moduleOf } from '../../../support/modules.js';
import { configMaps, contextWith, object, write } from './attributes.js';

const plugin = defineStorageObjectInUseProtection(platformNaming);
const claims = moduleOf('', 'persistentvolumeclaims', 'PersistentVolumeClaim');
const volumes = moduleOf('', 'persistentvolumes', 'PersistentVolume', { scope: 'Cluster' });

async function finalizersOf(resource: typeof claims, before?: readonly string[], by = plugin) {
  const made = object({ metadata: { name: 'a', ...(before ? { finalizers: [...before] } : {}) } });
  expect(await runPlugin(by, write({ resource, object: made }), contextWith({}))).toBeUndefined();
  return made.metadata.finalizers;
}

describe('new objects', () => {
  it('are held by a finalizer of their kind', async () => {
    expect(await finalizersOf(claims)).toEqual(['platform.io/pvc-protection']);
    expect(await finalizersOf(volumes)).toEqual(['platform.io/pv-protection']);
    const named = defineStorageObjectInUseProtection(kubernetesNaming);
    expect(await finalizersOf(claims, undefined, named)).toEqual(['kubernetes.io/pvc-protection']);
  });

  it('keep the finalizers that they come with, each once', async () => {
    expect(await finalizersOf(claims, ['example.com/a'])).toEqual(['example.com/a', 'platform.io/pvc-protection']);
    const both = ['platform.io/pv-protection', 'example.com/a'];
    expect(await finalizersOf(volumes, both)).toEqual(both);
  });
});

it.each([
  [claims, 'UPDATE', ''],
  [claims, 'CREATE', 'status'],
  [claims, 'DELETE', ''],
  [configMaps, 'CREATE', ''],
  [moduleOf('example.com', 'persistentvolumes', 'PersistentVolume'), 'CREATE', ''],
] as const)('has nothing to do with other writes (%#)', (resource, operation, subresource) => {
  expect(plugin.handles(resource, operation, subresource)).toBe(false);
});
