import { expect, it } from 'vitest';
import {
  type CredentialsFile,
  credentialsFor,
  type ShownCredentials,
} from '../../../../server/webhooks/credentials.js';

const shown = (name: string): ShownCredentials => ({ cert: name, headers: () => ({}) });
const file = (...names: string[]): CredentialsFile => ({
  paths: [],
  users: new Map(names.map((name) => [name, shown(name)])),
});

it.each([
  ['hook.shop.svc', 443, ['hook.shop.svc', '*.shop.svc', '*.svc', '*'], 'hook.shop.svc'],
  ['hook.shop.svc', 443, ['hook.shop.svc:443', 'hook.shop.svc'], 'hook.shop.svc:443'],
  ['hook.shop.svc', 8443, ['hook.shop.svc', '*.shop.svc', 'hook.shop.svc:8443'], 'hook.shop.svc:8443'],
  ['hook.shop.svc', 8443, ['hook.shop.svc', '*.svc:8443'], '*.svc:8443'],
  ['hook.shop.svc', 8443, ['hook.shop.svc', '*.shop.svc', '*'], '*'],
  ['hook.shop.svc', 443, ['*.svc', '*.shop.svc'], '*.shop.svc'],
  ['hook.shop.svc', 443, ['*.hook.shop.svc', 'shop.svc'], undefined],
  ['127.0.0.1', 9443, ['127.0.0.1:9443'], '127.0.0.1:9443'],
])('for %s at port %i, of %j', (host, port, names, found) =>
  expect(credentialsFor(file(...names), host, port)?.cert).toBe(found),
);

it('all other hosts get the credentials of the current context', () => {
  const usual = { ...file('a.example.com'), usual: shown('usual') };
  expect(credentialsFor(usual, 'b.example.com', 443)?.cert).toBe('usual');
  expect(credentialsFor(usual, 'a.example.com', 443)?.cert).toBe('a.example.com');
});
