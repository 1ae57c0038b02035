/** A server refuses two different parts with the same name. */
import { describe, expect, it } from 'vitest';
import type { ResourceModule } from '../../../../runtime/contract/index.js';
import { platformNaming } from '../../../../runtime/objects/names/naming.js';
import { createServer, type ServerOptions } from '../../../../runtime/server/index.js';
import { memoryBackend, openStore } from '../../../../runtime/storage/index.js';
import { moduleOf } from '../../../support/modules.js';

const widgets: ResourceModule = moduleOf('shop.example.com', 'widgets', 'Widget');
const store = await openStore({ backend: memoryBackend(), readAttributes: () => ({ labels: {}, fields: {} }) });

const serverOf = (options: Partial<ServerOptions>) =>
  createServer({ modules: [widgets], naming: platformNaming, store, productVersion: '1.0.0', ...options });

describe('two parts of one name', () => {
  const handlers = { resource: widgets };
  const plugin = { name: 'Quota', handles: () => true };
  const authenticator = { name: 'tokens', authenticate: () => undefined };

  it('are refused', () => {
    expect(() => serverOf({ modules: [widgets, widgets] })).toThrow('shop.example.com/widgets is defined twice');
    expect(() => serverOf({ handlers: [handlers, { ...handlers }] })).toThrow('shop.example.com/Widget');
    expect(() => serverOf({ plugins: [plugin, { ...plugin }] })).toThrow('Quota');
    expect(() => serverOf({ authenticators: [authenticator, { ...authenticator }] })).toThrow('tokens');
  });

  it('are accepted if they are the same object', () => {
    const parts = { handlers: [handlers], plugins: [plugin], authenticators: [authenticator] };
    expect(serverOf(parts).registry.resources).toHaveLength(1);
  });
});
