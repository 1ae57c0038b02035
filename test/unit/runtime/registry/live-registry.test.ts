/** The registry of a running server: definitions come and go, and what is built in stays. */
import { describe, expect, it } from 'vitest';
import type { ResourceModule } from '../../../../runtime/contract/index.js';
import { defineLiveRegistry } from '../../../../runtime/registry/live-registry.js';
import { buildRegistry, type Registry } from '../../../../runtime/registry/registry.js';
import { moduleOf } from '../../../support/modules.js';
import { widgets } from '../../../support/widgets.js';

const registryOf = (...modules: readonly ResourceModule[]): Registry =>
  buildRegistry({ modules, handlers: [], plugins: [], featureEnabled: () => true });

const builtIn = registryOf(moduleOf('apps', 'deployments', 'Deployment'));
const start = () => defineLiveRegistry(builtIn);
const two = (): Registry => registryOf(widgets, { ...widgets, version: 'v2', storage: false });

describe('a live registry', () => {
  it('serves what a definition brings, all versions at once', () => {
    const registry = start();
    registry.set('example.com', 'widgets', two());
    expect(registry.resources.map(({ apiVersion }) => apiVersion)).toEqual([
      'apps/v1',
      'example.com/v1',
      'example.com/v2',
    ]);
    expect(registry.find('example.com', 'v2', 'widgets')?.stored).toBe(registry.stored('example.com', 'widgets'));
    expect(registry.hasGroup('example.com')).toBe(true);
    expect(registry.isBuiltIn('example.com')).toBe(false);
    expect(registry.hasVersion('example.com', 'v2')).toBe(true);
    expect(registry.knowsKind('example.com/v2', 'WidgetList')).toBe(true);
    expect(registry.convertible('example.com/v2', 'Widget')).toBe(registry.find('example.com', 'v2', 'widgets'));
  });

  it('has another list of resources after each change, and the same one in between', () => {
    const registry = start();
    const before = registry.resources;
    expect(registry.resources).toBe(before);
    registry.set('example.com', 'widgets', two());
    const after = registry.resources;
    expect(after).not.toBe(before);
    expect(registry.resources).toBe(after);
  });

  it('serves in place of what was served before', () => {
    const registry = start();
    registry.set('example.com', 'widgets', two());
    registry.set('example.com', 'widgets', registryOf(widgets));
    expect(registry.find('example.com', 'v2', 'widgets')).toBeUndefined();
    expect(registry.hasVersion('example.com', 'v2')).toBe(false);
    expect(registry.resources).toHaveLength(2);
  });

  it('forgets a definition, and a group with its last one', () => {
    const registry = start();
    registry.set('example.com', 'widgets', two());
    registry.set('example.com', 'gadgets', registryOf(moduleOf('example.com', 'gadgets', 'Gadget')));
    registry.remove('example.com', 'widgets');
    expect(registry.find('example.com', 'v1', 'widgets')).toBeUndefined();
    expect(registry.hasGroup('example.com')).toBe(true);
    registry.remove('example.com', 'gadgets');
    expect(registry.hasGroup('example.com')).toBe(false);
    expect(registry.knowsKind('example.com/v1', 'Gadget')).toBe(false);
    expect(registry.resources).toEqual(builtIn.resources);
  });

  it('asks what is built in first', () => {
    const registry = start();
    registry.set('apps', 'deployments', registryOf(moduleOf('apps', 'deployments', 'Other')));
    expect(registry.find('apps', 'v1', 'deployments')?.module.names.kind).toBe('Deployment');
    registry.remove('apps', 'deployments');
    expect(registry.hasGroup('apps')).toBe(true);
  });
});
