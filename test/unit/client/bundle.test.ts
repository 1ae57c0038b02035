/** The SDK's entry bundles for browsers: nothing in it needs Node. */

import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { root } from '../../support/shared.js';

const bundle = (entry: string) =>
  build({
    entryPoints: [join(root, entry)],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'esm',
    logLevel: 'silent',
  });

describe('the browser bundle', () => {
  it('holds the client and needs nothing of Node', async () => {
    const { outputFiles } = await bundle('client/index.ts');
    const text = outputFiles[0]?.text ?? '';
    expect(text).toContain('createClientFrom');
    expect(text).not.toMatch(/node:|require\(/);
  });

  it('would not bundle the Node entry', async () => {
    await expect(bundle('client/node.ts')).rejects.toThrow(/node:fs/);
  });
});
