/** Resources in several groups and versions, for tests of discovery. */
import type { ResourceModule, Subresource } from '../../runtime/contract/index.js';
import { buildRegistry, type Registry } from '../../runtime/registry/registry.js';
import { moduleOf } from './modules.js';
import { widgetStatus, widgets } from './widgets.js';

const scale: Subresource = {
  name: 'scale',
  verbs: ['update', 'get', 'patch'],
  writes: ['spec.size'],
  writesMetadata: false,
  scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' },
};

const scaled: ResourceModule = { ...widgets, subresources: [widgetStatus, scale] };
const other = (version: string): ResourceModule => ({ ...widgets, version, storage: false });
const gadgets = moduleOf('example.com', 'gadgets', 'Gadget', { scope: 'Cluster', verbs: ['list', 'get'] });
const secrets = moduleOf('', 'secrets', 'Secret');
const apples = moduleOf('apples.io', 'apples', 'Apple');

const modules: readonly ResourceModule[] = [
  scaled,
  other('v2beta1'),
  other('v1alpha1'),
  other('v2'),
  gadgets,
  secrets,
  apples,
];

/** Returns the registry of these kinds, with every gate off. */
export const discovered = (): Registry =>
  buildRegistry({ modules, handlers: [], plugins: [], featureEnabled: () => false });
