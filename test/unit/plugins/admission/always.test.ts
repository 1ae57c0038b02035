/** AlwaysAdmit lets everything pass, AlwaysDeny nothing of others, whatever the resource and the operation. */
import { describe, expect, it } from 'vitest';
import { defineAlwaysAdmit, defineAlwaysDenyAdmission } from '../../../../plugins/index.js';
import type { Operation } from '../../../../runtime/contract/index.js';
import { runPlugin } from '../../../support/admission-suite.js';
import { contextWith, namespaces, object, write } from './attributes.js';

const operations: readonly Operation[] = ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'];

describe.each(operations)('%s', (operation) => {
  const writes = [
    write({ operation, object: object() }),
    write({ operation, resource: namespaces, namespace: '', subresource: 'status', oldObject: object() }),
  ];

  it.each(writes)('passes AlwaysAdmit (%#)', async (one) => {
    expect(await runPlugin(defineAlwaysAdmit(), one, contextWith({}))).toBeUndefined();
  });

  it.each(writes)('does not pass AlwaysDeny, by either of its stages (%#)', async (one) => {
    const plugin = defineAlwaysDenyAdmission();
    const message = `${one.resource.names.plural} "a" is forbidden: admission control is denying all modifications`;
    expect(await runPlugin(plugin, one, contextWith({}))).toMatchObject({ reason: 'Forbidden', message });
    expect(await plugin.validate?.(one, contextWith({}))).toMatchObject({ reason: 'Forbidden', message });
  });
});

describe('the server itself', () => {
  const itself = { name: 'system:apiserver', uid: '', groups: ['system:masters', 'system:authenticated'], extra: {} };
  const by = (user: typeof itself) => runPlugin(defineAlwaysDenyAdmission(), write({ user }), contextWith({}));

  it('passes AlwaysDeny, as it would not start otherwise', async () => {
    expect(await by(itself)).toBeUndefined();
  });

  it('is not whoever has its name', async () => {
    expect(await by({ ...itself, groups: ['system:authenticated'] })).toMatchObject({ reason: 'Forbidden' });
    expect(await by({ ...itself, name: 'admin' })).toMatchObject({ reason: 'Forbidden' });
  });
});
