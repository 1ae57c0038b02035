/** Stock: limits the orders of a namespace to the widgets in stock. */
import {
  type AdmissionPlugin,
  configurationSchema,
  type DraftObject,
  defineAdmissionPlugin,
  type FollowedObjects,
  forbiddenObject,
  forKind,
  objectsOf,
} from 'kindforge/contract';
import type { Widget } from '../shop/generated/shop.example.com/v1/index.js';

const { fields, whole } = configurationSchema;
const apiVersion = 'shop.example.com/v1';

export function defineStock(): AdmissionPlugin {
  let stock = 0;
  let orders: FollowedObjects<DraftObject<Widget>> | undefined;
  return defineAdmissionPlugin({
    name: 'Stock',
    configuration: {
      apiVersions: [apiVersion],
      kind: 'StockConfiguration',
      schema: fields({ widgets: whole({ least: 0 }) }),
      byDefault: { widgets: 100 },
    },
    start(host, { widgets }) {
      stock = widgets;
      orders = objectsOf<Widget>(host, apiVersion, 'widgets');
    },
    ...forKind<Widget>(
      { apiVersion, kind: 'Widget', operations: ['CREATE', 'UPDATE'] },
      {
        validate({ namespace, name, object, resource }) {
          const others = [...(orders?.list(namespace) ?? [])].filter(({ metadata }) => metadata.name !== name);
          const ordered = others.reduce((sum, { spec }) => sum + Number(spec?.count ?? 0), 0);
          const left = stock - ordered;
          if (Number(object?.spec?.count ?? 0) <= left) return undefined;
          return forbiddenObject(resource.group, resource.names.plural, name, `there are only ${left} left`);
        },
      },
    ),
  });
}
