/** The registry: which modules are served, and how they are found. */
import { describe, expect, it } from 'vitest';
import type { ResourceModule } from '../../../../runtime/contract/index.js';
import { buildRegistry, defineLiveRegistry, type Registry } from '../../../../runtime/registry/registry.js';
import { moduleOf } from '../../../support/modules.js';
import { widgets } from '../../../support/widgets.js';

const build = (modules: readonly ResourceModule[], gates: readonly string[] = []) =>
  buildRegistry({ modules, handlers: [], plugins: [], featureEnabled: (gate) => gates.includes(gate) });

const secrets = moduleOf('', 'secrets', 'Secret');
const v2: ResourceModule = { ...widgets, version: 'v2', storage: false };

describe('a registry', () => {
  const registry = build([secrets, widgets, v2]);

  it('finds resources by the parts of a path', () => {
    expect(registry.find('', 'v1', 'secrets')?.module).toBe(secrets);
    expect(registry.find('example.com', 'v2', 'widgets')?.module).toBe(v2);
    expect(registry.find('example.com', 'v3', 'widgets')).toBeUndefined();
    expect(registry.find('', 'v1', 'widgets')).toBeUndefined();
  });

  it('serves all versions of a resource from the stored one', () => {
    const stored = registry.stored('example.com', 'widgets');
    expect(stored?.module).toBe(widgets);
    expect(registry.find('example.com', 'v1', 'widgets')).toBe(stored);
    expect(registry.find('example.com', 'v2', 'widgets')?.stored).toBe(stored);
  });

  it('knows groups, versions and kinds, including kinds of lists', () => {
    expect([registry.hasGroup(''), registry.hasGroup('example.com'), registry.hasGroup('other')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(registry.hasVersion('', 'v1')).toBe(true);
    expect(registry.hasVersion('', 'v2')).toBe(false);
    expect(registry.knowsKind('example.com/v2', 'Widget')).toBe(true);
    expect(registry.knowsKind('example.com/v2', 'WidgetList')).toBe(true);
    expect(registry.knowsKind('v1', 'Widget')).toBe(false);
  });

  it('gives a resource of several versions the other versions', () => {
    const versions = registry.find('example.com', 'v1', 'widgets')?.versions;
    expect(versions?.versionOf('example.com/v2')).toBeDefined();
    expect(versions?.versionOf('example.com/v3')).toBeUndefined();
    expect(registry.find('', 'v1', 'secrets')?.versions).toBeUndefined();
  });
});

describe('resources that are not served', () => {
  it('include a version that is not served, even if objects are stored in it', () => {
    const registry = build([{ ...widgets, served: false }, v2]);
    expect(registry.find('example.com', 'v1', 'widgets')).toBeUndefined();
    expect(registry.hasVersion('example.com', 'v1')).toBe(false);
    expect(registry.knowsKind('example.com/v1', 'Widget')).toBe(true);
    expect(registry.find('example.com', 'v2', 'widgets')?.stored.apiVersion).toBe('example.com/v1');
  });

  it('follow the runtime config', () => {
    const config = { classes: new Map(), versions: new Map([['example.com/v1', false]]), resources: new Map() };
    const sources = { modules: [widgets, v2], handlers: [], plugins: [], featureEnabled: () => false };
    const registry = buildRegistry({ ...sources, runtimeConfig: config });
    expect([registry.hasVersion('example.com', 'v1'), registry.hasVersion('example.com', 'v2')]).toEqual([false, true]);
    const unknown = { ...config, versions: new Map([['example.com/v9', true]]) };
    expect(() => buildRegistry({ ...sources, runtimeConfig: unknown })).toThrow('unknown version example.com/v9');
  });

  it('include a resource with a disabled gate', () => {
    const gated = { ...widgets, featureGate: 'Gate' };
    expect(build([gated]).hasGroup('example.com')).toBe(false);
    expect(build([gated], ['Gate']).hasGroup('example.com')).toBe(true);
  });
});

describe('mistakes', () => {
  it('include two modules for one resource', () => {
    expect(() => build([widgets, { ...widgets, source: 'again.yaml' }])).toThrow(
      'resource example.com/widgets is defined twice; the second is from again.yaml',
    );
    expect(() => build([widgets, v2, v2])).toThrow('resource example.com/v2/widgets is defined twice');
  });
});

describe('handlers and plugins', () => {
  it('are refused if they are for another version than the stored one', () => {
    const handlers = [{ resource: { ...widgets, version: 'v1beta1' } }];
    const build = () => buildRegistry({ modules: [widgets], handlers, plugins: [], featureEnabled: () => false });
    expect(build).toThrow('the handlers of Widget are for v1beta1, but example.com/widgets is stored as v1');
  });

  it('belong to the resources that they are for', () => {
    const ofSecrets = { resource: secrets };
    const registry = buildRegistry({
      modules: [secrets, widgets],
      handlers: [ofSecrets, { resource: moduleOf('other.com', 'widgets', 'Widget') }],
      plugins: [{ name: 'P', handles: (module) => module.group === '' }],
      featureEnabled: () => false,
    });
    const [secret, widget] = [registry.stored('', 'secrets'), registry.stored('example.com', 'widgets')];
    expect(secret?.handlers).toBe(ofSecrets);
    expect(widget?.handlers).toBeUndefined();
    expect(secret?.admission('CREATE', '')).toHaveLength(1);
    expect(widget?.admission('CREATE', '')).toHaveLength(0);
  });
});

const registryOf = (...modules: readonly ResourceModule[]): Registry =>
  buildRegistry({ modules, handlers: [], plugins: [], featureEnabled: () => true });

const builtIn = registryOf(moduleOf('apps', 'deployments', 'Deployment'));
const start = () => defineLiveRegistry(builtIn);
const two = (): Registry => registryOf(widgets, { ...widgets, version: 'v2', storage: false });

describe('a live registry', () => {
  it('serves a new definition, with all its versions at once', () => {
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

  it('serves a definition in place of an earlier one', () => {
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

  it('prefers built-in resources', () => {
    const registry = start();
    registry.set('apps', 'deployments', registryOf(moduleOf('apps', 'deployments', 'Other')));
    expect(registry.find('apps', 'v1', 'deployments')?.module.names.kind).toBe('Deployment');
    registry.remove('apps', 'deployments');
    expect(registry.hasGroup('apps')).toBe(true);
  });
});
