/** The admission plugin with typed objects that docs/admission.md builds. */
import { expect, it } from 'vitest';
import type { AdmissionAttributes, AdmissionPlugin, ApiObject, JsonObject } from '../../../runtime/contract/index.js';
import { hostOf } from '../../support/admission-host.js';
import { testAdmissionPlugin } from '../../support/admission-suite.js';
import { moduleOf } from '../../support/modules.js';
import { contextWith } from '../plugins/admission/attributes.js';

// The commands on the page generate the types of its objects, and the test of the page checks them.
const example = '../../../examples/admission/stock.js';
const { defineStock }: { defineStock: () => AdmissionPlugin } = await import(example);

const widgets = moduleOf('shop.example.com', 'widgets', 'Widget');
const widget = (name: string, spec: JsonObject): ApiObject => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'default' },
  spec,
});
const order = (count: number, operation: AdmissionAttributes['operation'] = 'CREATE'): AdmissionAttributes => ({
  operation,
  resource: widgets,
  subresource: '',
  namespace: 'default',
  name: 'gate',
  object: widget('gate', { size: 'small', count }),
  options: {},
  user: { name: 'anna', uid: '', groups: [], extra: {} },
  dryRun: false,
});

const plugin = defineStock();
const host = hostOf([widgets]);
plugin.start?.(host, { widgets: 10 });
host.put('widgets', widget('door', { size: 'large', count: 6 }));

testAdmissionPlugin({ plugin, admitted: order(4), refused: order(5), context: contextWith({}), words: ['count'] });

it("counts the orders of others, without the order's own earlier amount", async () => {
  host.put('widgets', widget('gate', { size: 'small', count: 4 }));
  expect(await plugin.validate?.(order(4, 'UPDATE'), contextWith({}))).toBeUndefined();
  expect(await plugin.validate?.(order(5, 'UPDATE'), contextWith({}))).toMatchObject({
    message: 'widgets.shop.example.com "gate" is forbidden: there are only 4 left',
  });
  host.remove('widgets', 'gate');
});
