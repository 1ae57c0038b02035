/** A custom resource with a status, for tests of what the runtime does for every resource. */
import type { ApiObject, JsonObject, ResourceModule, Schema, Subresource } from '../../runtime/contract/index.js';
import { moduleOf } from './modules.js';

const schema: Schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: { type: 'integer', minimum: 1, default: 3 },
        color: { type: 'string' },
        parts: { type: 'array', items: { type: 'string' } },
      },
    },
    status: { type: 'object', properties: { ready: { type: 'boolean' } } },
  },
};

/** The subresource for writing the status of a widget. */
export const widgetStatus: Subresource = {
  name: 'status',
  verbs: ['get', 'patch', 'update'],
  writes: ['status'],
  writesMetadata: false,
};

/** Widgets of `example.com/v1`: namespaced, with a spec that has a default and a bound. */
export const widgets: ResourceModule = moduleOf('example.com', 'widgets', 'Widget', {
  names: {
    plural: 'widgets',
    singular: 'widget',
    kind: 'Widget',
    listKind: 'WidgetList',
    shortNames: ['wd'],
    categories: ['all'],
  },
  decoding: 'structural',
  schema,
  subresources: [widgetStatus],
  selectableFields: ['spec.color'],
  nameRule: { format: 'dns-1123-subdomain' },
  generation: 'counted',
  deleteReturns: 'Status',
  unconditionalUpdate: false,
});

/** The path of the widgets in the namespace `default`. */
export const widgetsPath = '/apis/example.com/v1/namespaces/default/widgets';

/** Makes a widget as a client sends it. */
export const widget = (name: string, spec: JsonObject = {}, metadata: JsonObject = {}): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, ...metadata },
  spec,
});
