/** The input of a program that prints credentials. */
import { expect, it } from 'vitest';
import { execIdentity } from '../../../../client/node/exec-plugin.js';

const apiVersion = 'client.authentication.k8s.io/v1';

/** Prints what it was told as a token. */
const script = `
  told=$(printf '%s' "$KUBERNETES_EXEC_INFO" | base64 | tr -d '\\n')
  printf '{"kind":"ExecCredential","apiVersion":"${apiVersion}","status":{"token":"%s"}}' "$told"`;

it.each(['Never', 'IfAvailable'] as const)('is whether it may ask people, with %s and no terminal', async (mode) => {
  const plugin = { type: 'exec', user: 'me', apiVersion, command: '/bin/sh', args: ['-c', script], env: {} } as const;
  const { headers } = await execIdentity({ ...plugin, interactiveMode: mode }, '/')();
  const token = headers.authorization?.replace('Bearer ', '') ?? '';
  const told: unknown = JSON.parse(Buffer.from(token, 'base64').toString());
  expect(told).toEqual({ kind: 'ExecCredential', apiVersion, spec: { interactive: false } });
});
