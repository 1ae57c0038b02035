/** All commands without a server find the same kubeconfig. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { serverOf } from '../../../bin/flags/access.js';
import { findKubeconfig, targetOf } from '../../../bin/objects/target.js';
import { filesIn, scratchFolder } from '../../support/scratch-folder.js';

const kubeconfig = (name: string): string =>
  JSON.stringify({
    clusters: [{ name, cluster: { server: `https://${name}.example.com` } }],
    contexts: [{ name, context: { cluster: name, namespace: name } }],
    'current-context': name,
  });

describe('the kubeconfig that is found', () => {
  const home = scratchFolder();
  let folder: string;
  let written: string;
  let usual: string;
  const write = (path: string, name: string): string => filesIn(dirname(path))(basename(path), kubeconfig(name));
  beforeAll(() => {
    folder = join(home, 'shop/src');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, 'shop/package.json'), '{}');
    usual = write(join(home, '.kube/config'), 'usual');
    written = write(join(home, 'shop/.kindforge/data/credentials/kubeconfig'), 'shop');
  });

  it('is the one that serve wrote here or above, before the usual one', () => {
    const here = { folder, environment: { HOME: home } };
    expect(serverOf({}, here)).toEqual({ kubeconfig: written });
    expect(targetOf({}, here)).toMatchObject({ namespace: 'shop', from: written });
    expect(serverOf({}, { ...here, folder: home })).toEqual({ kubeconfig: usual });
    expect(targetOf({}, { ...here, folder: home })).toMatchObject({ namespace: 'usual', from: usual });
  });

  it('is $KUBECONFIG before both; several files are read as one', () => {
    const named = (KUBECONFIG: string) => ({ folder, environment: { HOME: home, KUBECONFIG } });
    expect(serverOf({}, named(usual))).toEqual({ kubeconfig: usual });
    expect(serverOf({}, named(`${usual}:${written}`))).toEqual({});
    expect(findKubeconfig(named(`${usual}:${written}`))).toEqual({ from: `$KUBECONFIG, ${usual}:${written}` });
  });

  it('is not searched if one is named, or a server', () => {
    const here = { folder, environment: { HOME: home } };
    expect(serverOf({ kubeconfig: 'mine', context: 'c' }, here)).toEqual({ kubeconfig: 'mine', context: 'c' });
    expect(serverOf({ server: 'http://127.0.0.1:1' }, here)).toEqual({ server: 'http://127.0.0.1:1' });
  });
});
