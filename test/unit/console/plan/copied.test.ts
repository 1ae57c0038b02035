/** Copies of objects that a user can create beside them. */
import { describe, expect, it } from 'vitest';
import type { DynamicObject } from '../../../../client/index.js';
import { copyOf } from '../../../../packages/console/src/plan/copied.js';

const service = (spec: object): DynamicObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop', uid: '1', resourceVersion: '7', managedFields: [{ manager: 'a' }] },
  spec,
  status: { loadBalancer: {} },
});

describe('a copy', () => {
  it('has another name, and no fields of the server', () => {
    const object = service({
      clusterIP: '10.0.0.1',
      clusterIPs: ['10.0.0.1'],
      ports: [{ port: 80, nodePort: 30_000 }],
    });
    expect(copyOf(object)).toEqual({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'web-copy', namespace: 'shop' },
      spec: { ports: [{ port: 80 }] },
    });
    expect(object.spec).toHaveProperty('clusterIP');
  });

  it('keeps the address and the selector that a user has chosen', () => {
    expect(copyOf(service({ clusterIP: 'None', ports: [] })).spec).toEqual({ clusterIP: 'None', ports: [] });
    const job = (spec: object): DynamicObject => ({ ...service({}), kind: 'Job', spec });
    const selector = { matchLabels: { 'controller-uid': '1' } };
    const template = { metadata: { labels: { 'controller-uid': '1', app: 'a' } } };
    expect(copyOf(job({ selector, manualSelector: true })).spec).toEqual({ selector, manualSelector: true });
    expect(copyOf(job({ selector, template })).spec).toEqual({ template: { metadata: { labels: { app: 'a' } } } });
  });

  it('of another kind keeps all fields, and adds none', () => {
    const widget: DynamicObject = {
      apiVersion: 'a/v1',
      kind: 'constructor',
      metadata: { name: 'w' },
      data: { a: '1' },
    };
    expect(copyOf(widget)).toEqual({ ...widget, metadata: { name: 'w-copy' } });
    expect(copyOf({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' } })).not.toHaveProperty('spec');
  });
});
