/** AlwaysAdmit lets everything pass, AlwaysDeny nothing, whatever the resource and the operation. */
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
