/** The admission plugin that docs/admission.md builds. */
import { describe, expect, it } from 'vitest';
import { defineOwnership } from '../../../examples/admission/ownership.js';
import type { AdmissionAttributes, AdmissionContext, ApiObject } from '../../../runtime/contract/index.js';
import { hostOf } from '../../support/admission-host.js';
import { runPlugin, testAdmissionPlugin } from '../../support/admission-suite.js';
import { moduleOf } from '../../support/modules.js';

const plugin = defineOwnership();
plugin.start?.(hostOf([]), { admins: 'admins' });
const context: AdmissionContext = {
  get: () => undefined,
  list: () => [],
  rely: () => {},
  authorize: () => true,
  decide: () => ({ decision: 'allow' }),
  convert: () => undefined,
  warn: () => {},
  annotate: () => {},
};
const user = (name: string, ...groups: string[]) => ({ name, uid: '', groups, extra: {} });
const owner = 'shop.example.com/owner';

const widget = (annotations?: Record<string, string>): ApiObject => ({
  apiVersion: 'shop.example.com/v1',
  kind: 'Widget',
  metadata: { name: 'door', ...(annotations === undefined ? {} : { annotations }) },
});

const write = (more: Partial<AdmissionAttributes>): AdmissionAttributes => ({
  operation: 'UPDATE',
  resource: moduleOf('shop.example.com', 'widgets', 'Widget'),
  subresource: '',
  namespace: 'default',
  name: 'door',
  object: widget(),
  oldObject: widget({ [owner]: 'anna' }),
  options: {},
  user: user('anna'),
  dryRun: false,
  ...more,
});

testAdmissionPlugin({
  plugin,
  admitted: write({}),
  refused: write({ user: user('ben') }),
  context,
  words: ['metadata', 'annotations', owner],
});

describe('the owner of an order', () => {
  it('is the user who made it, whatever the object contains', async () => {
    const { oldObject: _, ...create } = write({ operation: 'CREATE', object: widget({ [owner]: 'ben', other: 'x' }) });
    expect(await runPlugin(plugin, create, context)).toBeUndefined();
    expect(create.object?.metadata.annotations).toEqual({ [owner]: 'anna', other: 'x' });
  });

  it('stays the same when others change the object', async () => {
    const update = write({ object: widget({ [owner]: 'carl' }), user: user('carl', 'admins') });
    expect(await runPlugin(plugin, update, context)).toBeUndefined();
    expect(update.object?.metadata.annotations).toEqual({ [owner]: 'anna' });
  });

  it('is the only one who may delete it, besides admins', async () => {
    const { object: _, ...remove } = write({ operation: 'DELETE' });
    expect(await runPlugin(plugin, { ...remove, user: user('ben') }, context)).toMatchObject({ reason: 'Forbidden' });
    expect(await runPlugin(plugin, remove, context)).toBeUndefined();
    expect(await runPlugin(plugin, { ...remove, user: user('carl', 'admins') }, context)).toBeUndefined();
  });
});
